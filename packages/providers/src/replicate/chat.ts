import type { ChatPart, ChatRequest } from '../chat.ts'
import type { ChatAdapter, StreamEvent } from '../chat-adapter.ts'
import { plainText, splitSystem } from '../content.ts'
import { failureOf, VendorError } from '../failure.ts'
import { defined, fieldsOf, jsonOrUndefined, listOf, textOf } from '../json.ts'
import { postJson } from '../post-json.ts'
import { refuseUnsupported, type Unsupported } from '../unsupported.ts'
import { authorize, follower, outputOf, predictionsUrl } from './prediction.ts'

export const unsupported: Unsupported = {
  refuse: ['audio', 'n', 'logprobs', 'tools', 'response_format', 'image_url', 'input_audio', 'file'],
  drop: ['top_logprobs', 'user', 'parallel_tool_calls', 'reasoning_effort'],
}

export const chat: ChatAdapter = {
  framing: 'sse',
  task: follower,
  encode(request, access) {
    refuseUnsupported('Replicate', unsupported, request)
    const { url, version } = predictionsUrl(request.model, access)
    const headers = { ...authorize(access), ...(request.stream ? {} : { prefer: 'wait' }) }
    return postJson(url, headers, { version, stream: request.stream || undefined, input: toInput(request) })
  },
  decode: decodePrediction,
  streamDecoder,
}

/** Each model defines its own inputs and refuses others, so only requested ones are sent. */
function toInput(request: ChatRequest) {
  const { system, turns } = splitSystem(request.messages)
  return defined({
    prompt: toPrompt(turns),
    system_prompt: system || undefined,
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    seed: request.seed,
    stop_sequences: request.stop?.join(','),
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
  })
}

/** The models take a single text, so the conversation becomes a transcript that ends with the assistant's turn. */
function toPrompt(turns: ReturnType<typeof splitSystem>['turns']) {
  const [only, ...others] = turns
  if (only !== undefined && others.length === 0) return plainText(only.content)
  const lines = turns.map(
    ({ role, content }) => `${role === 'assistant' ? 'Assistant' : 'User'}: ${plainText(content)}`,
  )
  return [...lines, 'Assistant:'].join('\n')
}

function decodePrediction(body: unknown): ChatPart[] {
  const { id, output, metrics } = outputOf(body)
  const text =
    typeof output === 'string'
      ? output
      : listOf(output)
          .map((piece) => textOf(piece) ?? '')
          .join('')
  const parts: ChatPart[] = [{ type: 'start', id, model: '' }]
  if (text !== '') parts.push({ type: 'text', choice: 0, text })
  parts.push({ type: 'finish', choice: 0, reason: 'stop' })
  const { input_token_count: input, output_token_count: spent } = metrics ?? {}
  if (input !== undefined || spent !== undefined)
    parts.push({ type: 'usage', usage: { input: input ?? 0, output: spent ?? 0 } })
  return parts
}

/** The chunks of the answer are plain text, not JSON; the stream reports no tokens. */
function streamDecoder() {
  let started = false
  return ({ event, data }: StreamEvent): ChatPart[] => {
    const start: ChatPart[] = started ? [] : [{ type: 'start', id: '', model: '' }]
    switch (event) {
      case 'output':
        started = true
        return data === '' ? start : [...start, { type: 'text', choice: 0, text: data }]
      case 'done':
        started = true
        return [...start, ...doneParts(fieldsOf(jsonOrUndefined(data)).reason)]
      case 'error':
        throw new VendorError(failureOf('server', textOf(fieldsOf(jsonOrUndefined(data)).detail) ?? (data || 'Failed')))
      default:
        return [] // logs and unknown event types
    }
  }
}

/** A reason for the end means that the model did not finish by itself. */
function doneParts(reason: unknown): ChatPart[] {
  if (typeof reason === 'string' && reason !== '')
    throw new VendorError(failureOf('server', `The prediction ended as ${reason}`, { code: reason }))
  return [{ type: 'finish', choice: 0, reason: 'stop' }]
}
