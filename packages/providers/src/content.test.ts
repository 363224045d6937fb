import { expect, test } from 'bun:test'
import type { ChatMessage } from './chat.ts'
import { argumentsObject, lastQuestion, mergeNeighbours, plainText, splitSystem } from './content.ts'
import { keyParts } from './key-parts.ts'
import { CONVERSATION, failureFrom } from './testing/vendor-kit.ts'

const user = (text: string): ChatMessage => ({ role: 'user', content: [{ type: 'text', text }] })

test('instructions are extracted from a conversation, wherever they are', () => {
  const { system, turns } = splitSystem([
    ...CONVERSATION,
    { role: 'system', content: [{ type: 'text', text: 'Last.' }] },
  ])
  expect(system).toBe('Be brief.\n\nUse tools.\n\nLast.')
  expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
})

test('neighbouring messages of one role are merged, tool results stay separate', () => {
  const tool: ChatMessage = { role: 'tool', callId: '1', content: [] }
  const merged = mergeNeighbours([user('a'), user('b'), tool, tool, user('c')])
  expect(merged.map(({ role, content }) => [role, plainText(content)])).toEqual([
    ['user', 'a\nb'],
    ['tool', ''],
    ['tool', ''],
    ['user', 'c'],
  ])
})

test('the last question is the user’s, even when something follows it', () => {
  expect(lastQuestion(CONVERSATION)).toBe('Weather in Paris?')
  expect(lastQuestion([])).toBe('')
})

test('missing arguments are an empty object, and broken ones the caller’s mistake', async () => {
  expect(argumentsObject('')).toEqual({})
  expect(argumentsObject('{"a":[1]}')).toEqual({ a: [1] })
  for (const text of ['[1]', '"x"', '{"a":'])
    expect(await failureFrom(() => argumentsObject(text))).toMatchObject({ status: 400 })
})

test('a compound key is split, and never repeated in an error', async () => {
  const form = { vendor: 'Nobody', names: ['id', 'secret'] } as const
  expect(keyParts(' one | two ', form)).toEqual({ id: 'one', secret: 'two' })
  const failure = await failureFrom(() => keyParts('hunter2', form))
  expect(failure).toMatchObject({ blame: 'channel', code: 'malformed_key' })
  expect(failure.message).not.toContain('hunter2')
  expect(failure.message).toContain('id|secret')
})
