import { expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import type { ChatMessage } from './chat.ts'
import { withLeadingInstructions } from './leading-instructions.ts'
import { providerOf } from './registry.ts'
import { ENCODE_CONTEXT, FULL_ACCESS } from './testing/vendor-kit.ts'

const by = (role: 'system' | 'developer' | 'user' | 'assistant', ...texts: string[]): ChatMessage => ({
  role,
  content: texts.map((text) => ({ type: 'text' as const, text })),
})
const result: ChatMessage = { role: 'tool', callId: 'c', content: [{ type: 'text', text: 'r' }] }

test.each<[what: string, given: ChatMessage[], expected: ChatMessage[]]>([
  ['none', [by('user', 'a')], [by('user', 'a')]],
  ['one', [by('system', 's'), by('user', 'a')], [by('system', 's'), by('user', 'a')]],
  ['several', [by('system', 's'), by('developer', 'd'), by('user', 'a')], [by('system', 's', 'd'), by('user', 'a')]],
  [
    'after a question',
    [by('system', 's'), by('user', 'a'), by('system', 'x')],
    [by('system', 's'), by('user', 'a', 'x')],
  ],
  [
    'before one',
    [by('user', 'a'), by('assistant', 'b'), by('developer', 'x'), by('user', 'c'), by('user', 'd')],
    [by('user', 'a'), by('assistant', 'b'), by('user', 'x', 'c'), by('user', 'd')],
  ],
  ['after a result', [by('user', 'a'), result, by('system', 'x')], [by('user', 'a'), result, by('user', 'x')]],
  ['alone', [by('system', 's'), by('system', 't')], [by('system', 's', 't')]],
])('instructions: %s', (_, given, expected) => {
  expect(withLeadingInstructions(given)).toEqual(expected)
})

/** They accept instructions anywhere, or have a place of their own for them. */
const ANYWHERE = new Set(['cohere', 'azure', 'openai', 'api2d', 'closeai', 'openai-sb', 'openai-max', 'ohmygpt'])
const RESELLERS = new Set(['ails', 'aiproxy', 'api2gpt', 'aigc2d'])

test('every vendor gets at most one message of instructions, as the first one, or is known to accept more', async () => {
  const messages = [by('system', 'ONE'), by('developer', 'TWO'), by('user', 'Hi'), by('system', 'THREE')]
  const request = { model: 'm', stream: false, messages, extra: {} }
  const wrong: string[] = []
  let seen = 0
  for (const { value } of CHANNEL_TYPES) {
    const { name = '', chat } = providerOf(value) ?? {}
    if (chat === undefined || ANYWHERE.has(name) || RESELLERS.has(name)) continue
    const { body } = await Promise.resolve()
      .then(() => chat.encode(request, FULL_ACCESS, ENCODE_CONTEXT))
      .catch(() => ({ body: undefined }))
    const roles = [...String(body).matchAll(/"role":"(\w+)"/gi)].map(([, role]) => role)
    if (roles.slice(1).some((role) => role === 'system' || role === 'developer')) wrong.push(name)
    if (roles.length > 0) seen++
  }
  expect(wrong).toEqual([])
  expect(seen).toBeGreaterThan(30)
})
