import { expect, test } from 'bun:test'
import { toMessagesBody } from './anthropic/body.ts'
import { dialects } from './dialects.ts'
import { toChatBody } from './openai/chat-body.ts'
import { toResponsesBody } from './responses/body.ts'
import { boundedUser } from './user-id.ts'

/** The user id as Claude Code sends it. */
const LONG = JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: 'a'.repeat(36), session_id: 's'.repeat(36) })

const asked = (user_id: string) =>
  dialects['anthropic/messages'].parse({
    ...{ model: 'm', max_tokens: 8, metadata: { user_id } },
    messages: [{ role: 'user', content: 'Hi' }],
  })

test('a Claude Code user id becomes one that OpenAI accepts, stable for a user and different for others', () => {
  const user = toChatBody(asked(LONG)).user
  expect(user).toMatch(/^[0-9a-f]{64}$/)
  expect(toChatBody(asked(LONG)).user).toBe(user)
  expect(toResponsesBody(asked(LONG))).toMatchObject({ user })
  expect(toChatBody(asked(`${LONG} `)).user).not.toBe(user)
})

test('a valid id is passed on unchanged, and Anthropic accepts more', () => {
  expect(toChatBody(asked('u'.repeat(64))).user).toBe('u'.repeat(64))
  expect(toMessagesBody(asked(LONG)).metadata).toEqual({ user_id: LONG })
  expect(toMessagesBody(asked('u'.repeat(257))).metadata?.user_id).toHaveLength(64)
  expect(boundedUser(undefined)).toBeUndefined()
})
