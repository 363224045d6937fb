import { expect, setDefaultTimeout, test } from 'bun:test'
import { decodeMessage } from './anthropic/decode.ts'
import type { ChatPart } from './chat.ts'
import { type DialectName, dialects } from './dialects.ts'
import { decodeGenerate } from './gemini/decode.ts'
import { decodeChat } from './openai/chat-decode.ts'
import { providerOf } from './registry.ts'
import { decodeResponse } from './responses/decode.ts'
import { META } from './testing/dialect-round-trip.ts'

/*
 * Requests and answers of a few megabytes with very many small members. All calls of a process wait while one is translated, so that a
 * search among the earlier members for each member, which takes minutes here, would be an outage for everybody.
 */

setDefaultTimeout(120_000)

const COUNT = 40_000
const many = <T>(member: (index: number) => T): T[] => Array.from({ length: COUNT }, (_, index) => member(index))

/** Of processor time: the machine may be busy with other things. Linear work takes a tenth of it. */
const LIMIT_MS = 3000
function expectQuick(work: () => unknown) {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(LIMIT_MS)
}

const ANSWERS: Record<string, ChatPart[]> = {
  'tool calls': many((call) => ({ type: 'tool-call', choice: 0, call, id: `c${call}`, name: 'f', arguments: '{}' })),
  'texts between reasoning': many((index) =>
    index % 2 === 0
      ? { type: 'reasoning', choice: 0, text: 'y', signature: 's' }
      : { type: 'text', choice: 0, text: 'x' },
  ),
  citations: [
    { type: 'text', choice: 0, text: 'x'.repeat(COUNT) },
    ...many((start): ChatPart => ({ type: 'citation', choice: 0, url: `https://a/${start}`, start, end: COUNT })),
  ],
  'pieces of audio': many(() => ({ type: 'audio', choice: 0, base64: 'AAA=', transcript: 'x' })),
  choices: many((choice) => ({ type: 'text', choice, text: 'x' })),
}

for (const name of Object.keys(dialects) as DialectName[]) {
  test.each(Object.keys(ANSWERS))(`very many %s become an answer of ${name} at once`, (what) => {
    const parts: ChatPart[] = [{ type: 'start', id: 'a', model: 'm' }, ...(ANSWERS[what] ?? []), END]
    expectQuick(() => {
      const whole = dialects[name].whole(parts, META)
      JSON.stringify(whole)
      DECODERS[name](whole)
    })
  })
}

/** The same answer as vendors that speak the dialect send it. */
const DECODERS: Record<DialectName, (body: unknown) => ChatPart[]> = {
  'openai/chat': decodeChat,
  'anthropic/messages': decodeMessage,
  'gemini/generate': decodeGenerate,
  responses: decodeResponse,
}

const END: ChatPart = { type: 'finish', choice: 0, reason: 'stop' }

const ask = { role: 'user', content: 'x' }
const REQUESTS: Record<string, Partial<Record<DialectName, object>>> = {
  'messages of one role': {
    'openai/chat': { model: 'm', messages: many(() => ask) },
    'anthropic/messages': { model: 'm', max_tokens: 5, messages: many(() => ask) },
    'gemini/generate': { contents: many(() => ({ role: 'model', parts: [{ text: 'x' }] })) },
    responses: { model: 'm', input: many(() => ask) },
  },
  'tool calls, answered in the opposite order': {
    'openai/chat': {
      model: 'm',
      messages: [
        ask,
        {
          role: 'assistant',
          content: null,
          tool_calls: many((i) => ({ id: `c${i}`, type: 'function', function: { name: 'f', arguments: '{}' } })),
        },
        ...many((i) => ({ role: 'tool', tool_call_id: `c${COUNT - 1 - i}`, content: 'r' })),
      ],
    },
    'anthropic/messages': {
      model: 'm',
      max_tokens: 5,
      messages: [
        ask,
        { role: 'assistant', content: many((i) => ({ type: 'tool_use', id: `c${i}`, name: 'f', input: {} })) },
        {
          role: 'user',
          content: many((i) => ({ type: 'tool_result', tool_use_id: `c${COUNT - 1 - i}`, content: 'r' })),
        },
      ],
    },
    'gemini/generate': {
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: many((i) => ({ functionCall: { name: `f${i}`, args: {} } })) },
        {
          role: 'user',
          parts: many((i) => ({ functionResponse: { name: `f${COUNT - 1 - i}`, response: { done: true } } })),
        },
      ],
    },
    responses: {
      model: 'm',
      input: [
        ask,
        ...many((i) => ({ type: 'function_call', call_id: `c${i}`, name: 'f', arguments: '{}' })),
        ...many((i) => ({ type: 'function_call_output', call_id: `c${COUNT - 1 - i}`, output: 'r' })),
      ],
    },
  },
}

/** Vendors whose requests are arranged in ways of their own: Anthropic, Baidu, Tencent, Google, OpenRouter, Mistral. */
const TYPES = [14, 15, 23, 24, 20, 28]
const ACCESS = { type: 0, other: '', baseUrl: 'https://vendor.test', key: 'a|b|c', config: {} }

for (const [what, bodies] of Object.entries(REQUESTS)) {
  for (const [name, body] of Object.entries(bodies)) {
    test(`very many ${what} of ${name} are translated for every vendor at once`, () => {
      const parse = () => dialects[name as DialectName].parse(body, { model: 'm', stream: false })
      expectQuick(parse)
      const request = parse()
      for (const type of TYPES) {
        expectQuick(() => providerOf(type)?.chat?.encode(request, ACCESS, { nowMs: 0, callId: 'x' }))
      }
    })
  }
}
