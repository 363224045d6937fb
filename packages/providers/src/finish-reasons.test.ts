import { expect, test } from 'bun:test'
import type Anthropic from '@anthropic-ai/sdk'
import type { FinishReason as GoogleReason } from '@google/genai'
import type OpenAI from 'openai'
import { answerDecoders } from './answer-decoders.ts'
import { decodeConverse } from './bedrock/decode.ts'
import { converseStreamDecoder } from './bedrock/stream-decode.ts'
import type { ChatPart, FinishReason } from './chat.ts'
import type { StreamEvent } from './chat-adapter.ts'
import { decodeReply, streamDecoder as replyStreamDecoder } from './cohere/reply.ts'
import { dialects } from './dialects.ts'
import { VendorError } from './failure.ts'

/*
 * Every finish reason that a vendor documents, whole and streamed, in every dialect that a caller may speak. The lists are those of the
 * vendors' own types where these exist, so that a new word fails the check of types until somebody has decided what it means.
 */

/** `error`: the answer is none. `open`: the answer has not ended. */
type Meaning = FinishReason | 'error' | 'open'

type Reasons<Word extends string> = Record<Word, Meaning>

type ChatWord = OpenAI.ChatCompletion.Choice['finish_reason']
type IncompleteWord = NonNullable<OpenAI.Responses.Response.IncompleteDetails['reason']>

/** OpenAI's, and those of compatible vendors: Mistral, DeepSeek, Zhipu, vLLM and SGLang, OpenRouter. */
const CHAT: Reasons<ChatWord> & Reasons<string> = {
  ...({
    stop: 'stop',
    length: 'length',
    tool_calls: 'tool_calls',
    function_call: 'tool_calls',
    content_filter: 'content_filter',
  } satisfies Reasons<ChatWord>),
  ...{ model_length: 'length', error: 'error', insufficient_system_resource: 'length' },
  ...{ sensitive: 'content_filter', network_error: 'error', model_context_window_exceeded: 'length', abort: 'error' },
}

const MESSAGES: Reasons<Anthropic.Beta.BetaStopReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  // Only its own clients can continue such a turn.
  pause_turn: 'stop',
  compaction: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

/** Firebase and Vertex AI document some more. */
const GOOGLE: Reasons<`${GoogleReason}`> & Reasons<string> = {
  ...({
    FINISH_REASON_UNSPECIFIED: 'open',
    STOP: 'stop',
    OTHER: 'stop',
    NO_IMAGE: 'stop',
    MAX_TOKENS: 'length',
    CONTINUATION: 'length',
    SAFETY: 'content_filter',
    RECITATION: 'content_filter',
    LANGUAGE: 'content_filter',
    BLOCKLIST: 'content_filter',
    PROHIBITED_CONTENT: 'content_filter',
    SPII: 'content_filter',
    IMAGE_SAFETY: 'content_filter',
    IMAGE_PROHIBITED_CONTENT: 'content_filter',
    IMAGE_RECITATION: 'content_filter',
    IMAGE_OTHER: 'content_filter',
    MALFORMED_FUNCTION_CALL: 'error',
    UNEXPECTED_TOOL_CALL: 'error',
    TOO_MANY_TOOL_CALLS: 'error',
    MALFORMED_RESPONSE: 'error',
  } satisfies Reasons<`${GoogleReason}`>),
  ...{ MODEL_ARMOR: 'content_filter', MISSING_THOUGHT_SIGNATURE: 'error' },
}

const CONVERSE: Reasons<string> = {
  ...{ end_turn: 'stop', stop_sequence: 'stop', max_tokens: 'length', model_context_window_exceeded: 'length' },
  ...{ tool_use: 'tool_calls', guardrail_intervened: 'content_filter', content_filtered: 'content_filter' },
  ...{ malformed_model_output: 'error', malformed_tool_use: 'error' },
}

const COHERE: Reasons<string> = {
  ...{ COMPLETE: 'stop', STOP_SEQUENCE: 'stop', MAX_TOKENS: 'length', TOOL_CALL: 'tool_calls' },
  ...{ ERROR: 'error', TIMEOUT: 'error' },
}

const RESPONSES: Reasons<IncompleteWord> = {
  max_output_tokens: 'length',
  max_messages: 'length',
  content_filter: 'content_filter',
  // The caller went on with something else.
  steered: 'stop',
}

interface Vendor {
  reasons: Reasons<string>
  whole(reason: string): ChatPart[]
  streamed(reason: string): ChatPart[]
}

const replay = (decode: (event: StreamEvent) => ChatPart[], events: { event?: string; body: object }[]) =>
  events.flatMap(({ event = '', body }) => decode({ event, data: JSON.stringify(body) }))

const chunk = (delta: object, finish_reason: string | null) => ({
  body: { id: 'c', model: 'm', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] },
})
const candidate = (text: string, finishReason?: string) => ({
  body: { candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason }] },
})
const named = (body: { type: string; [member: string]: unknown }) => ({ event: body.type, body })

const VENDORS: Record<string, Vendor> = {
  'chat completions': {
    reasons: CHAT,
    whole: (finish_reason) =>
      answerDecoders['openai/chat'].decode({
        ...{ id: 'c', model: 'm', object: 'chat.completion' },
        choices: [{ index: 0, message: { role: 'assistant', content: 'Well' }, finish_reason }],
      }),
    streamed: (reason) =>
      replay(answerDecoders['openai/chat'].streamDecoder(), [chunk({ content: 'Well' }, null), chunk({}, reason)]),
  },
  messages: {
    reasons: MESSAGES,
    whole: (stop_reason) =>
      answerDecoders['anthropic/messages'].decode({
        ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Well' }] },
        ...{ stop_reason, usage: { input_tokens: 1, output_tokens: 1 } },
      }),
    streamed: (stop_reason) =>
      replay(answerDecoders['anthropic/messages'].streamDecoder(), [
        named({ type: 'message_start', message: { id: 'm', model: 'm', content: [] } }),
        named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Well' } }),
        named({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } }),
        named({ type: 'message_stop' }),
      ]),
  },
  contents: {
    reasons: GOOGLE,
    whole: (reason) => answerDecoders['gemini/generate'].decode(candidate('Well', reason).body),
    streamed: (reason) =>
      replay(answerDecoders['gemini/generate'].streamDecoder(), [candidate('Well'), candidate('', reason)]),
  },
  responses: {
    reasons: RESPONSES,
    whole: (reason) => answerDecoders.responses.decode(incomplete(reason)),
    streamed: (reason) =>
      replay(answerDecoders.responses.streamDecoder(), [
        named({ type: 'response.created', response: { id: 'r', model: 'm', status: 'in_progress', output: [] } }),
        named({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Well' }),
        named({ type: 'response.incomplete', response: incomplete(reason) }),
      ]),
  },
  Converse: {
    reasons: CONVERSE,
    whole: (stopReason) =>
      decodeConverse({ output: { message: { role: 'assistant', content: [{ text: 'Well' }] } }, stopReason }),
    streamed: (stopReason) =>
      replay(converseStreamDecoder(), [
        { event: 'messageStart', body: { role: 'assistant' } },
        { event: 'contentBlockDelta', body: { contentBlockIndex: 0, delta: { text: 'Well' } } },
        { event: 'messageStop', body: { stopReason } },
      ]),
  },
  Cohere: {
    reasons: COHERE,
    whole: (finish_reason) =>
      decodeReply({
        id: 'c',
        message: { role: 'assistant', content: [{ type: 'text', text: 'Well' }] },
        finish_reason,
      }),
    streamed: (finish_reason) =>
      replay(replyStreamDecoder(), [
        named({ type: 'message-start', id: 'c' }),
        named({ type: 'content-delta', index: 0, delta: { message: { content: { text: 'Well' } } } }),
        named({ type: 'message-end', delta: { finish_reason } }),
      ]),
  },
}

function incomplete(reason: string) {
  const content = [{ type: 'output_text', text: 'Well', annotations: [] }]
  return {
    ...{ id: 'r', object: 'response', model: 'm', status: 'incomplete', incomplete_details: { reason } },
    output: [{ type: 'message', id: 'm', role: 'assistant', status: 'incomplete', content }],
  }
}

const META = {
  ...{ id: 'x', model: 'm', createdSec: 1, nowSec: () => 1 },
  request: { model: 'm', stream: true, messages: [], extra: {} },
}

/** How each dialect says it, in a whole answer and at the end of a stream alike. */
const WORDS: Record<keyof typeof dialects, Record<FinishReason, RegExp>> = {
  'openai/chat': {
    stop: /"finish_reason":"stop"/,
    length: /"finish_reason":"length"/,
    tool_calls: /"finish_reason":"tool_calls"/,
    content_filter: /"finish_reason":"content_filter"/,
  },
  'anthropic/messages': {
    stop: /"stop_reason":"end_turn"/,
    length: /"stop_reason":"max_tokens"/,
    tool_calls: /"stop_reason":"tool_use"/,
    content_filter: /"stop_reason":"refusal"/,
  },
  'gemini/generate': {
    stop: /"finishReason":"STOP"/,
    length: /"finishReason":"MAX_TOKENS"/,
    tool_calls: /"finishReason":"STOP"/,
    content_filter: /"finishReason":"SAFETY"/,
  },
  responses: {
    stop: /"status":"completed"/,
    length: /"status":"incomplete".*"incomplete_details":\{"reason":"max_output_tokens"\}/s,
    tool_calls: /"status":"completed"/,
    content_filter: /"status":"incomplete".*"incomplete_details":\{"reason":"content_filter"\}/s,
  },
}

const finishOf = (parts: readonly ChatPart[]): Meaning => {
  const last = parts.findLast((part) => part.type === 'finish')
  return last?.type === 'finish' ? last.reason : 'open'
}

function meaningOf(decode: () => ChatPart[]): Meaning {
  try {
    return finishOf(decode())
  } catch (error) {
    if (error instanceof VendorError) return 'error'
    throw error
  }
}

test.each(Object.entries(VENDORS))('every finish reason of %s has its meaning, whole and streamed', (_, vendor) => {
  const { reasons, whole, streamed } = vendor
  const read = Object.keys(reasons).map((reason) => ({
    reason,
    whole: meaningOf(() => whole(reason)),
    streamed: meaningOf(() => streamed(reason)),
  }))
  expect(read).toEqual(Object.entries(reasons).map(([reason, is]) => ({ reason, whole: is, streamed: is })))
})

test.each(Object.entries(VENDORS))('every finish reason of %s is told in every dialect', (_, vendor) => {
  for (const [reason, meaning] of Object.entries(vendor.reasons)) {
    if (meaning === 'error' || meaning === 'open') continue
    for (const [name, dialect] of Object.entries(dialects)) {
      const expected = WORDS[name as keyof typeof dialects][meaning]
      const plain = JSON.stringify(dialect.whole(vendor.whole(reason), META))
      const encoder = dialect.stream(META)
      const stream = vendor.streamed(reason).map(encoder.frame).join('') + encoder.end()
      expect({ reason, name, plain }).toEqual({ reason, name, plain: expect.stringMatching(expected) })
      expect({ reason, name, stream }).toEqual({ reason, name, stream: expect.stringMatching(expected) })
      for (const text of [plain, stream]) expect(text).toContain('Well')
    }
  }
})
