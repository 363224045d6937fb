import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { makeUser } from '../../testing/makers.ts'
import { keyOf, MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'
import { readAgentSession } from './agent-session.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const UUID = '0b9a7c1e-6a55-4b1c-9e42-0d1f2a3b4c5d'
const idOf = (headers: Record<string, string>, body: object) => readAgentSession(new Headers(headers), { ...body }).id

test.each([
  ["Claude Code's header", { 'x-claude-code-session-id': UUID }, {}, UUID],
  ["Codex's header", { session_id: UUID, originator: 'codex_cli_rs' }, {}, UUID],
  ["Codex's header as others spell it", { 'session-id': UUID }, {}, UUID],
  ["Claude Code's user", {}, { metadata: { user_id: `user_abc_account_def_session_${UUID}` } }, UUID],
  [
    "Claude Code's user as JSON",
    {},
    { metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: UUID }) } },
    UUID,
  ],
  ['a key of the cache', {}, { prompt_cache_key: 'my-chat' }, 'my-chat'],
  ['a conversation', {}, { conversation: 'conv_1' }, 'conv_1'],
  ['a conversation as an object', {}, { conversation: { id: 'conv_2' } }, 'conv_2'],
  ['the header before the body', { session_id: 'a' }, { prompt_cache_key: 'b' }, 'a'],
  ['nothing', { 'x-stainless-lang': 'js' }, { metadata: { user_id: 'alice' } }, undefined],
  ['what is no text', {}, { prompt_cache_key: 7, metadata: null, conversation: { id: {} } }, undefined],
  ['what is too long', {}, { prompt_cache_key: 'x'.repeat(129) }, undefined],
  ['what a database cannot store', {}, { prompt_cache_key: 'a\u0000b' }, undefined],
])('a session is recognised by %s', (_, headers, body, id) => {
  expect(idOf(headers, body)).toBe(id)
})

const CODEX = {
  ...{ session_id: UUID, originator: 'codex_cli_rs', 'x-codex-turn-metadata': '{"turn":1}' },
  ...{ 'x-stainless-lang': 'js', 'x-private': 'mine' },
}
const CLAUDE = { 'x-claude-code-session-id': UUID, 'x-stainless-lang': 'js' }
const NAMES = ['session_id', 'originator', 'x-codex-turn-metadata', 'x-claude-code-session-id', 'x-stainless-lang']

/** The headers that a vendor of this type receives. */
async function sentTo(type: number, path: string, headers: Record<string, string>) {
  const { app, key, channel } = await relayFixture()
  const vendor = fakeVendor(() => Response.json({ error: { message: 'no' } }, { status: 400 }))
  await channel('m', { type, base_url: vendor.url, key: 'k' })
  await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify({ model: 'm', max_tokens: 5, messages: MESSAGES, input: 'Hi' }),
  })
  const [asked] = vendor.asked
  return asked === undefined ? undefined : NAMES.filter((name) => asked.headers.has(name))
}

const CODEX_SENT = ['session_id', 'originator', 'x-codex-turn-metadata']

test.each([
  { agent: 'Codex', at: 'OpenAI', type: 1, path: '/v1/responses', headers: CODEX, sent: CODEX_SENT },
  { agent: 'Codex', at: 'another vendor of its dialect', type: 8, path: '/v1/responses', headers: CODEX, sent: [] },
  { agent: 'Codex', at: 'Anthropic', type: 14, path: '/v1/responses', headers: CODEX, sent: [] },
  { agent: 'Codex', at: 'Azure', type: 3, path: '/v1/chat/completions', headers: CODEX, sent: [] },
  {
    agent: 'Claude Code',
    at: 'Anthropic',
    type: 14,
    path: '/v1/messages',
    headers: CLAUDE,
    sent: ['x-claude-code-session-id'],
  },
  { agent: 'Claude Code', at: 'OpenAI', type: 1, path: '/v1/messages', headers: CLAUDE, sent: [] },
  {
    agent: 'Both',
    at: 'Anthropic',
    type: 14,
    path: '/v1/messages',
    headers: { ...CODEX, ...CLAUDE },
    sent: ['x-claude-code-session-id'],
  },
])('$agent at $at: the headers of a session reach only their own vendor', async (row) => {
  expect(await sentTo(row.type, row.path, row.headers)).toEqual([...row.sent])
})

test("an agent's session is recognised as one: by its user, by the operator, with its cost", async () => {
  const { app, key, root, payer, channel } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  await channel('say/3')
  const call = (token: string, session: string | undefined) =>
    fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ model: 'say/3', messages: MESSAGES, prompt_cache_key: session }),
    }).then((response) => response.text())
  const { client } = payer
  const other = await makeUser(app, { quota: 1_000_000 })
  const theirs = await keyOf(other.client)
  for (const session of ['s-1', 's-2', 's-1', undefined]) await call(key, session)
  await call(theirs, 's-1')

  const mine = await client.get('/api/log/self?session=s-1')
  expect(mine.data).toHaveLength(2)
  for (const { detail } of mine.data) expect(detail.session).toBe('s-1')
  expect((await root.get('/api/log/?session=s-1')).data).toHaveLength(3)
  const username = mine.data[0].username
  expect((await root.get(`/api/log/?session=s-1&username=${username}`)).data).toHaveLength(2)
  expect((await root.get('/api/log/?session=unknown')).data).toEqual([])
  const each = mine.data[0].quota
  expect((await client.get('/api/log/self/stat?session=s-1')).data).toEqual({ quota: 2 * each, rounded: false })
  expect((await root.get('/api/log/stat?session=s-1')).data.quota).toBe(3 * each)
  const [unnamed] = (await client.get('/api/log/self')).data
  expect(unnamed.detail).not.toHaveProperty('session')
})
