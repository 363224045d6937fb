import { type CallPart, callsInTurn, interruptsCalls } from '../calls-in-turn.ts'
import type { ChatPart, FinishReason } from '../chat.ts'
import { customNames } from '../custom-tool.ts'
import type { AnswerMeta, StreamEncoder } from '../dialect.ts'
import type { UpstreamFailure } from '../failure.ts'
import { callerNames } from '../namespaced-tool.ts'
import { sse } from '../sse.ts'
import { NO_USAGE, type Usage } from '../usage.ts'
import { clientTools } from './client-tools.ts'
import { errorEvent, responseError } from './failed.ts'
import type { Item, Status } from './items.ts'
import { openClientCall } from './open-client-call.ts'
import { type Emit, type OpenItem, openCall, openCustomCall, openMessage, openReasoning } from './open-items.ts'
import { keep } from './recall.ts'
import { responseObject, statusOf } from './response.ts'

/** An answer as the events of a response: each item opened, filled and closed, each event numbered. */
export function responseStream(meta: AnswerMeta): StreamEncoder {
  let sequence = 0
  let started = false
  let usage: Usage | undefined
  let finish: FinishReason = 'stop'
  const items: (Item | undefined)[] = []
  let current: OpenItem | undefined
  /** The call that is the current item. */
  let currentCall: number | undefined
  const custom = customNames(meta.request)
  const client = clientTools(meta.request)
  const callerName = callerNames(meta.request)

  const emit: Emit = (type, more) => sse({ type, sequence_number: sequence++, ...more }, type)

  const begin = () => {
    if (started) return ''
    started = true
    const response = responseObject(meta, { status: 'in_progress' })
    return emit('response.created', { response }) + emit('response.in_progress', { response })
  }

  const place = () => {
    items.push(undefined)
    return { index: items.length - 1, id: `${meta.id}_${items.length - 1}`, emit }
  }

  /** An item before another is complete. */
  const close = (status: Status = 'completed') => {
    if (current === undefined) return ''
    const { frames, item } = current.close(status)
    items[current.index] = item
    current = undefined
    return frames
  }

  const message = () => {
    if (current?.kind === 'message') return { open: current, frames: '' }
    const before = begin() + close()
    const open = openMessage(place())
    current = open
    return { open, frames: before + open.opening }
  }

  const reasoning = () => {
    if (current?.kind === 'reasoning') return { open: current, frames: '' }
    const before = begin() + close()
    const open = openReasoning(place())
    current = open
    return { open, frames: before + open.opening }
  }

  /** A signature completes the reasoning item. */
  const think = (part: { text: string; signature?: string; redacted?: string }) => {
    const before = part.redacted === undefined ? '' : close()
    const { open, frames } = reasoning()
    const grown = open.add(part)
    const done = part.signature !== undefined || part.redacted !== undefined
    return before + frames + grown + (done ? close() : '')
  }

  const sendCall = (part: CallPart) => {
    if (current?.kind === 'call' && currentCall === part.call) return current.add(part.arguments)
    const signed = part.signature === undefined ? '' : think({ text: '', signature: part.signature })
    const before = begin() + signed + close()
    const { name = '', id } = part
    const tool = client.get(name)
    const opening = tool !== undefined ? openClientCall(tool) : custom.has(name) ? openCustomCall : openCall
    const open = opening(place(), { id: id || `call_${meta.id}_${part.call}`, ...callerName(name) })
    current = open
    currentCall = part.call
    return before + open.opening + open.add(part.arguments)
  }
  const calls = callsInTurn(sendCall)

  const sources: Extract<ChatPart, { type: 'citation' }>[] = []
  const speak = (
    part: Extract<ChatPart, { type: 'text' | 'refusal' | 'image' | 'audio' | 'citation' | 'logprobs' }>,
  ) => {
    // A citation or logprob needs a text to belong to; vendors that search send sources before the text.
    if (part.type === 'citation' && current?.kind !== 'message') sources.push(part)
    if ((part.type === 'citation' || part.type === 'logprobs') && current?.kind !== 'message') return ''
    const { open, frames } = message()
    const grown = frames + open.add(part)
    return grown + sources.splice(0).map(open.add).join('')
  }

  const frame = (part: ChatPart): string => {
    switch (part.type) {
      case 'start':
        return begin()
      case 'usage':
        usage = { ...(usage ?? NO_USAGE), ...part.usage }
        return ''
      case 'finish':
        finish = part.reason
        return ''
      case 'tool-call':
        return calls.add(part)
      case 'reasoning':
        return think(part)
      default:
        return speak(part)
    }
  }

  const end = () => {
    const status = statusOf(finish)
    // Where the answer was cut off, its last item is.
    const closing = begin() + calls.rest() + close(status)
    const output = items.flatMap((item) => (item === undefined ? [] : [item]))
    const response = responseObject(meta, { status, output, usage, finish })
    keep(meta, output, response)
    return closing + emit(`response.${status}`, { response })
  }

  /** Some clients wait for the failed response, others only for an error. */
  const error = (failure: UpstreamFailure) => {
    const failed = { status: 'failed', usage, error: responseError(failure) } as const
    return (
      begin() + emit('response.failed', { response: responseObject(meta, failed) }) + emit('error', errorEvent(failure))
    )
  }

  return {
    frame(part) {
      if ('choice' in part && part.choice !== 0) return ''
      return (interruptsCalls(part) ? calls.rest() : '') + frame(part)
    },
    end,
    error,
  }
}
