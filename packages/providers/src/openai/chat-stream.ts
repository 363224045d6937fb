import type { ChatPart } from '../chat.ts'
import { customInput, customNames } from '../custom-tool.ts'
import type { AnswerMeta, StreamEncoder } from '../dialect.ts'
import type { UpstreamFailure } from '../failure.ts'
import { defined, fieldsOf } from '../json.ts'
import { sse } from '../sse.ts'
import { NO_USAGE, type Usage } from '../usage.ts'
import { reasoningDetail, thoughtSignature, toAnnotation, toImage, toLogprobs } from './chat-response.ts'
import { openAiError } from './error-body.ts'
import { toLegacyFinish } from './legacy-functions.ts'
import { completionUsage } from './usage-body.ts'

/** An answer as chat completion chunks: the role first, one finish per choice, usage when requested. */
export function chatStream(meta: AnswerMeta): StreamEncoder {
  const isLegacy = meta.request.legacyFunctions === true
  const withUsage = fieldsOf(meta.request.extra.stream_options).include_usage === true
  const head = {
    id: `chatcmpl-${meta.id}`,
    object: 'chat.completion.chunk',
    created: meta.createdSec,
    model: meta.model,
  }
  const started = new Set<number>()
  /** The finish reason of each choice, sent last: some vendors report it before they are done. */
  const reasons = new Map<number, string>()
  /** Calls without arguments so far, by choice: clients expect an object even for a tool without any. */
  const bare = new Map<number, Set<number>>()
  /** Calls of custom tools, by choice and number: their text can be read only when complete. */
  const custom = customNames(meta.request)
  const written = new Map<string, { choice: number; index: number; args: string }>()
  /** Reasoning since the last signature, by choice. */
  const thoughts = new Map<number, string>()
  let usage: Usage | undefined

  const chunk = (choice: number, delta: object, more: { logprobs?: object; finish_reason?: string } = {}) => {
    const first = !started.has(choice)
    started.add(choice)
    const { logprobs = null, finish_reason = null } = more
    return sse({
      ...head,
      choices: [
        {
          index: choice,
          delta: first ? { role: 'assistant', content: '', ...delta } : delta,
          logprobs,
          finish_reason,
        },
      ],
      ...(withUsage ? { usage: null } : {}),
    })
  }

  const note = ({ choice, call, id, arguments: args }: Extract<ChatPart, { type: 'tool-call' }>) => {
    const calls = bare.get(choice) ?? new Set()
    bare.set(choice, calls)
    if (args !== '') calls.delete(call)
    else if (id !== undefined) calls.add(call)
  }

  /**
   * A signature is sent with all the reasoning it covers: clients that do not know signatures keep only the last chunk of
   * it, and return that.
   */
  const think = (part: Extract<ChatPart, { type: 'reasoning' }>) => {
    const { choice, text, signature, redacted } = part
    const thought = (thoughts.get(choice) ?? '') + text
    thoughts.set(choice, signature === undefined ? thought : '')
    const details = reasoningDetail({ text: thought, signature, redacted })
    return defined({
      reasoning_content: text === '' ? undefined : text,
      reasoning_details: details.length === 0 ? undefined : details,
    })
  }

  const callMembers = (deltas: readonly { function: object }[]) =>
    isLegacy ? { function_call: deltas[0]?.function } : { tool_calls: deltas }

  const write = ({ choice, call: index, id, name, arguments: args }: Extract<ChatPart, { type: 'tool-call' }>) => {
    const key = `${choice} ${index}`
    const known = written.get(key)
    written.set(key, { choice, index, args: (known?.args ?? '') + args })
    return known === undefined
      ? chunk(choice, { tool_calls: [{ index, id, type: 'custom', custom: { name, input: '' } }] })
      : ''
  }

  const finish = (choice: number) => {
    const inputs = [...written.values()].filter((call) => call.choice === choice)
    const texts = inputs.map(({ index, args }) => ({ index, custom: { input: customInput(args) } }))
    const toolCalls = texts.length === 0 ? '' : chunk(choice, { tool_calls: texts })
    const empty = [...(bare.get(choice) ?? [])].map((index) => ({ index, function: { arguments: '{}' } }))
    const filled = empty.length === 0 ? '' : chunk(choice, callMembers(empty))
    const reason = reasons.get(choice) ?? 'stop'
    return toolCalls + filled + chunk(choice, {}, { finish_reason: isLegacy ? toLegacyFinish(reason) : reason })
  }

  const frame = (part: ChatPart): string => {
    switch (part.type) {
      case 'start':
        return started.size === 0 ? chunk(0, {}) : ''
      case 'usage':
        usage = { ...(usage ?? NO_USAGE), ...part.usage }
        return ''
      case 'finish':
        reasons.set(part.choice, part.reason)
        return ''
      case 'logprobs':
        return chunk(part.choice, {}, { logprobs: toLogprobs(part.tokens) })
      case 'tool-call':
        if (custom.has(part.name ?? '') || written.has(`${part.choice} ${part.call}`)) return write(part)
        if (isLegacy && part.call > 0) return ''
        note(part)
        return chunk(part.choice, callMembers([toCallDelta(part)]))
      case 'reasoning':
        return chunk(part.choice, think(part))
      case 'audio': {
        const { base64, transcript } = part
        const pieces = defined({ transcript: transcript || undefined, data: base64 || undefined })
        return chunk(part.choice, { audio: { id: `audio_${meta.id}`, ...pieces } })
      }
      default:
        return chunk(part.choice, toDelta(part))
    }
  }

  return {
    frame,
    end() {
      const choices = new Set(started.size + reasons.size === 0 ? [0] : [...started, ...reasons.keys()])
      const last = withUsage ? sse({ ...head, choices: [], usage: completionUsage(usage ?? NO_USAGE) }) : ''
      return [...choices].map(finish).join('') + last + sse('[DONE]')
    },
    error: (failure: UpstreamFailure) => sse(openAiError(failure)),
  }
}

type DeltaPart = Exclude<
  ChatPart,
  { type: 'start' | 'usage' | 'finish' | 'logprobs' | 'audio' | 'reasoning' | 'tool-call' }
>

function toDelta(part: DeltaPart): object {
  switch (part.type) {
    case 'text':
      return { content: part.text }
    case 'refusal':
      return { refusal: part.text }
    case 'image':
      return { images: [toImage(part)] }
    case 'citation':
      return { annotations: [toAnnotation(part)] }
  }
}

/** Only the first delta of a call contains its name. */
const toCallDelta = ({ call, id, name, arguments: args, signature }: Extract<ChatPart, { type: 'tool-call' }>) =>
  defined({
    index: call,
    id,
    type: id === undefined ? undefined : 'function',
    function: defined({ name, arguments: args }),
    extra_content: thoughtSignature(signature),
  })
