import { expect, setDefaultTimeout, test } from 'bun:test'
import { relayFixture } from '../testing/relay-fixture.ts'
import { conversationOf, createAffinity } from './affinity.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const RULES = JSON.stringify([{ group: '*', model: '*', policy: 'in_order', affinity: true }])
const user = (content: string) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })

test('the turns of a conversation have one name, and other conversations, models and users another', () => {
  const name = (body: Record<string, unknown>, model = 'm', userId = 1) => conversationOf(userId, { model, body })
  const system = { role: 'system', content: 'be brief' }
  const first = name({ messages: [system, user('one')] })
  expect(name({ messages: [system, user('one'), assistant('yes'), user('two')] })).toBe(first)
  expect(name({ messages: [user('one'), assistant('yes'), user('two')] })).toBe(name({ messages: [user('one')] }))
  for (const other of [
    name({ messages: [system, user('another')] }),
    name({ messages: [user('one')] }),
    name({ messages: [system, user('one')] }, 'other'),
    name({ messages: [system, user('one')] }, 'm', 2),
    name({ system: 'be long', messages: [user('one')] }),
  ]) {
    expect(other).not.toBe(first)
  }
  expect(name({ prompt: 'a picture' })).toBeUndefined()
  expect(name({ messages: [] })).toBeUndefined()
  const named = (id: string) => conversationOf(1, { model: 'm', agent: { id, headers: {} }, body: {} })
  expect(named('a')).not.toBe(named('b'))
})

test('the least recently used is forgotten first, and everything after an hour', () => {
  let now = 0
  const affinity = createAffinity({ now: () => now }, 2)
  affinity.keep('a', { channel: 1, key: 7 })
  affinity.keep('b', { channel: 2, key: undefined })
  affinity.keep('a', { channel: 1, key: 8 })
  affinity.keep('c', { channel: 3, key: undefined })
  expect(affinity.cachedAt('a')).toMatchObject({ channel: 1, key: 8 })
  expect(affinity.cachedAt('b')).toBeUndefined()
  expect(affinity.cachedAt('c')).toMatchObject({ channel: 3 })
  now = 61 * 60_000
  expect(affinity.cachedAt('a')).toBeUndefined()
})

test('calls of one conversation stay with their channel while it is healthy, and then with the one that answered', async () => {
  const { channel, chat, logs, root, app } = await relayFixture({
    options: { RoutingPolicies: RULES, RetryTimes: 3 },
  })
  for (const name of ['a', 'b', 'c', 'd']) await channel('m', { name, model_mapping: '{"m":"say/5"}' })
  const talk = (fields: object) => chat('m', fields)
  for (let turn = 0; turn < 12; turn++) await talk({ prompt_cache_key: 'conversation-1' })
  const rows = await logs()
  const [first] = rows
  expect(rows.every((row) => row.channel === first?.channel)).toBe(true)
  expect(first?.detail.candidates.kept).toBeUndefined()
  expect(rows[1]?.detail.candidates.kept).toBe(first?.channel)

  // Its vendor refuses; the channel that answers instead has the prompt cached from then on.
  await root.put('/api/channel/', { id: first?.channel, model_mapping: '{"m":"fault/rate"}' })
  for (let turn = 0; turn < 6; turn++) await talk({ prompt_cache_key: 'conversation-1' })
  const later = (await logs()).slice(12)
  expect(new Set(later.map((row) => row.channel)).size).toBe(1)
  expect(later[0]?.channel).not.toBe(first?.channel)
  expect(later[0]?.detail.attempts).toHaveLength(2)
  expect(await app.audit()).toEqual([])
})

test('a channel of higher priority comes before the one that has the prompt cached', async () => {
  const { channel, chat, logs } = await relayFixture({ options: { RoutingPolicies: RULES } })
  const low = await channel('m', { name: 'low', model_mapping: '{"m":"say/5"}' })
  await chat('m')
  const high = await channel('m', { name: 'high', priority: 5, model_mapping: '{"m":"say/5"}' })
  await chat('m')
  expect((await logs()).map((row) => row.channel)).toEqual([low.id, high.id])
})
