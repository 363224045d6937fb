import { expect } from 'bun:test'
import { decodeMessage } from '../anthropic/decode.ts'
import { messageStreamDecoder } from '../anthropic/stream-decode.ts'
import type { ChatPart } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { type Answer, type Choice, collect, textOfType, toolCalls } from '../collect.ts'
import type { AnswerMeta } from '../dialect.ts'
import { type DialectName, dialects } from '../dialects.ts'
import { decodeGenerate, generateStreamDecoder } from '../gemini/decode.ts'
import { fieldsOf } from '../json.ts'
import { chatStreamDecoder, decodeChat } from '../openai/chat-decode.ts'
import { inputTokens, NO_USAGE, outputTokens } from '../usage.ts'

export const META: AnswerMeta = {
  id: 'call-1',
  model: 'a-model',
  createdSec: 1_767_225_600,
  nowSec: () => 1_767_225_605,
  request: { model: 'a-model', stream: true, messages: [], extra: { stream_options: { include_usage: true } } },
}

/** An answer encoded in each dialect and decoded by a vendor's adapter stays the same. */
export function expectDialects(parts: readonly ChatPart[]) {
  const expected = translatable(collect(parts))
  for (const { name, whole, stream, choices } of READERS) {
    const meant = { ...expected, choices: expected.choices.slice(0, choices) }
    expect(translatable(collect(whole(dialects[name].whole(parts, META))))).toEqual(meant)
    const decode = stream()
    expect(translatable(collect(framesOf(name, parts).flatMap((event) => decode(event))))).toEqual(meant)
  }
  expectResponse(parts)
}

const READERS = [
  { name: 'openai/chat', whole: decodeChat, stream: chatStreamDecoder, choices: 9 },
  { name: 'anthropic/messages', whole: decodeMessage, stream: messageStreamDecoder, choices: 1 },
  { name: 'gemini/generate', whole: decodeGenerate, stream: generateStreamDecoder, choices: 9 },
] as const

/** The events that a caller receives. */
export function framesOf(name: DialectName, parts: readonly ChatPart[], meta = META): StreamEvent[] {
  const encoder = dialects[name].stream(meta)
  return eventsIn(parts.map((part) => encoder.frame(part)).join('') + encoder.end())
}

export const eventsIn = (text: string): StreamEvent[] =>
  text
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => ({
      event: /^event: (.*)$/m.exec(frame)?.[1] ?? '',
      data: /^data: (.*)$/m.exec(frame)?.[1] ?? '',
    }))

/** There is no adapter for responses: the last event has to contain the whole response. */
function expectResponse(parts: readonly ChatPart[]) {
  const events = framesOf('responses', parts).map(({ event, data }) => ({ event, body: fieldsOf(JSON.parse(data)) }))
  expect(events.map(({ body }) => body.sequence_number)).toEqual(events.map((_, index) => index))
  expect(events.every(({ event, body }) => body.type === event)).toBe(true)
  expect(events.at(-1)?.body.response).toEqual(dialects.responses.whole(parts, META))
}

/** Refusals and audio transcripts are text in some dialects, and so are images that have no field. */
const visibleText = ({ blocks }: Choice) =>
  blocks
    .map((block) => {
      if (block.type === 'audio') return block.transcript
      return block.type === 'text' || block.type === 'refusal' ? block.text.replaceAll(/!\[image]\([^)]*\)/g, '') : ''
    })
    .join('')

/** What must survive a translation. Some dialects have no signatures or citations. */
function translatable({ choices, usage = NO_USAGE }: Answer) {
  return {
    tokens: { input: inputTokens(usage), output: outputTokens(usage), cached: usage.cachedInput },
    choices: choices.map((choice) => ({
      text: visibleText(choice),
      reasoning: textOfType(choice, 'reasoning'),
      calls: toolCalls(choice).map(({ name, arguments: args }) => ({ name, arguments: JSON.parse(args) })),
      finish: choice.finish,
    })),
  }
}
