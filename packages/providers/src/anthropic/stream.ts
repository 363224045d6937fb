import { type CallPart, callsInTurn, interruptsCalls } from '../calls-in-turn.ts'
import type { ChatPart, FinishReason } from '../chat.ts'
import { collect } from '../collect.ts'
import type { AnswerMeta, StreamEncoder } from '../dialect.ts'
import { signatureOut } from '../signature.ts'
import { sse } from '../sse.ts'
import { NO_USAGE, type Usage } from '../usage.ts'
import { toCitation } from './cited-text.ts'
import { anthropicError } from './error-body.ts'
import { imageText, messageUsage, stopReason, toContent, toolId } from './response.ts'
import { keep } from './threads.ts'

type Kind = 'text' | 'thinking' | `tool ${number}`

const event = (type: string, more: object) => sse({ type, ...more }, type)

/** The first event of an answer. Without the usage, which may be unknown as yet, its last event has all of it. */
export function messageStart({ id, model }: Pick<AnswerMeta, 'id' | 'model'>, usage = NO_USAGE) {
  const message = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: messageUsage(usage),
  }
  return event('message_start', { message })
}

/** An answer as the events of a message: blocks opened, filled and closed one after the other. */
export function messageStream(meta: AnswerMeta): StreamEncoder {
  let started = false
  let usage: Usage = NO_USAGE
  let finish: FinishReason = 'stop'
  let open: Kind | undefined
  let blocks = 0

  /** Kept for callers who continue the conversation by reference instead of sending it again. */
  const sentParts: ChatPart[] = []
  const keepAll = () => {
    const [choice] = collect(sentParts).choices
    if (meta.request.turn !== undefined) keep(meta, choice === undefined ? [] : toContent(choice, meta))
  }

  const delta = (own: object) => event('content_block_delta', { index: blocks - 1, delta: own })

  /** Delayed until the first content, because the input count arrives just before it. */
  const begin = () => {
    if (started) return ''
    started = true
    return messageStart(meta, usage)
  }

  const close = () => {
    if (open === undefined) return ''
    open = undefined
    return event('content_block_stop', { index: blocks - 1 })
  }

  const ensure = (kind: Kind, block: object) => {
    if (open === kind) return ''
    const before = begin() + close()
    open = kind
    blocks += 1
    return before + event('content_block_start', { index: blocks - 1, content_block: block })
  }

  /** Vendors that search send sources before any text; they wait for the text they belong to. */
  const sources: Extract<ChatPart, { type: 'citation' }>[] = []
  const cite = (source: Extract<ChatPart, { type: 'citation' }>) =>
    delta({ type: 'citations_delta', citation: toCitation(source) })

  const text = (piece: string) => {
    const opening = ensure('text', { type: 'text', text: '' })
    return opening + delta({ type: 'text_delta', text: piece }) + sources.splice(0).map(cite).join('')
  }

  const thinking = (piece: string, signature: string | undefined) => {
    const opening = ensure('thinking', { type: 'thinking', thinking: '', signature: '' })
    const grown = piece === '' ? '' : delta({ type: 'thinking_delta', thinking: piece })
    if (signature === undefined) return opening + grown
    const signed = delta({ type: 'signature_delta', signature: signatureOut('claude', signature) })
    return opening + grown + signed + close()
  }

  const redacted = (data: string) => {
    const opening = close() + ensure('thinking', { type: 'redacted_thinking', data })
    return opening + close()
  }

  const sendCall = (part: CallPart) => {
    const kind: Kind = `tool ${part.call}`
    if (open === kind) return argumentsDelta(part.arguments)
    const signed = part.signature === undefined ? '' : thinking('', part.signature)
    const opening = ensure(kind, { type: 'tool_use', id: toolId(part, meta), name: part.name ?? '', input: {} })
    return signed + opening + argumentsDelta(part.arguments)
  }

  const argumentsDelta = (piece: string) =>
    piece === '' ? '' : delta({ type: 'input_json_delta', partial_json: piece })

  const calls = callsInTurn(sendCall)

  const frame = (part: ChatPart): string => {
    switch (part.type) {
      case 'usage':
        usage = { ...usage, ...part.usage }
        return ''
      case 'finish':
        finish = part.choice === 0 ? part.reason : finish
        return ''
      case 'start':
      case 'logprobs':
        return ''
      case 'text':
      case 'refusal':
        return text(part.text)
      case 'image':
        return text(imageText(part))
      case 'audio':
        return text(part.transcript)
      case 'reasoning':
        return part.redacted === undefined ? thinking(part.text, part.signature) : redacted(part.redacted)
      case 'tool-call':
        return calls.add(part)
      case 'citation':
        if (open === 'text') return cite(part)
        sources.push(part)
        return ''
    }
  }

  return {
    frame(part) {
      if ('choice' in part && part.choice !== 0) return ''
      if (meta.request.turn !== undefined) sentParts.push(part)
      return (interruptsCalls(part) ? calls.rest() : '') + frame(part)
    },
    end() {
      keepAll()
      const delta = { stop_reason: stopReason(finish), stop_sequence: null }
      const closing = event('message_delta', { delta, usage: messageUsage(usage) }) + event('message_stop', {})
      return begin() + calls.rest() + close() + closing
    },
    error: (failure) => sse(anthropicError(failure), 'error'),
  }
}
