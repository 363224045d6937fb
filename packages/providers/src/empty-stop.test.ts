import { expect, test } from 'bun:test'
import { type DialectName, dialects } from './dialects.ts'

const MESSAGES = [{ role: 'user', content: 'Hi' }]

const EMPTY: [DialectName, object][] = [
  ['openai/chat', { model: 'm', messages: MESSAGES, stop: [] }],
  ['anthropic/messages', { model: 'm', messages: MESSAGES, max_tokens: 9, stop_sequences: [] }],
  [
    'gemini/generate',
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], generationConfig: { stopSequences: [] } },
  ],
]

test.each(EMPTY)(
  '%s: an empty list of stop sequences, which not every vendor accepts, asks for none',
  (dialect, body) => {
    expect(dialects[dialect].parse(body, { model: 'm' }).stop).toBeUndefined()
  },
)
