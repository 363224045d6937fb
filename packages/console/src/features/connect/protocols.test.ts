import { expect, test } from 'bun:test'
import { PROTOCOLS } from './protocols.ts'

test('the text of an answer is found in each protocol’s format', () => {
  const { chat, responses, messages, generate } = PROTOCOLS
  expect(chat.textOf({ choices: [{ message: { role: 'assistant', content: 'hi' } }] })).toBe('hi')
  expect(
    messages.textOf({
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'hi' },
      ],
    }),
  ).toBe('hi')
  const parts = [{ text: 'hm', thought: true }, { text: 'h' }, { text: 'i' }]
  expect(generate.textOf({ candidates: [{ content: { parts } }] })).toBe('hi')
  const reasoning = { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'hm' }] }
  const message = { type: 'message', content: [{ type: 'output_text', text: 'hi' }] }
  expect(responses.textOf({ output: [reasoning, message, { type: 'function_call' }] })).toBe('hi')
})

test('an answer of another shape has no text', () => {
  for (const { textOf } of Object.values(PROTOCOLS)) {
    for (const answer of [undefined, null, 'text', {}, { choices: [] }, { candidates: [] }, { output: null }])
      expect(textOf(answer)).toBe('')
  }
  expect(PROTOCOLS.chat.textOf({ choices: [{ message: { content: null } }] })).toBe('')
})

test("a model's name cannot escape from its path segment", () => {
  expect(PROTOCOLS.generate.path('org/a b?c#d:e')).toBe('/v1beta/models/org%2Fa%20b%3Fc%23d%3Ae:generateContent')
  expect(PROTOCOLS.generate.path('half\ud800')).toBe('/v1beta/models/half%EF%BF%BD:generateContent')
})

test('models of other vendors are shown as translated', () => {
  expect(PROTOCOLS.messages.native.test('claude-sonnet-4-5')).toBe(true)
  expect(PROTOCOLS.messages.native.test('gpt-4o')).toBe(false)
  expect(PROTOCOLS.generate.native.test('deepseek-chat')).toBe(false)
  expect(PROTOCOLS.responses.native.test('gpt-5-codex')).toBe(true)
  expect(PROTOCOLS.chat.native.test('deepseek-chat')).toBe(true)
  expect(PROTOCOLS.chat.native.test('anthropic/claude-opus-4')).toBe(false)
})
