import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, type RelayFixture, relayFixture } from '../../testing/relay-fixture.ts'
import type { ApiFamily } from './api-family.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

interface CallOf {
  family: ApiFamily
  path(model: string, stream: boolean): string
  body(model: string, stream: boolean): object
  key(key: string): Record<string, string>
}

/** How each family's clients call, whole and streamed, and where they put the key. */
const CALLS: CallOf[] = [
  {
    family: 'openai',
    path: () => '/v1/chat/completions',
    body: (model, stream) => ({ model, messages: MESSAGES, stream }),
    key: (key) => ({ authorization: `Bearer ${key}` }),
  },
  {
    family: 'openai',
    path: () => '/v1/responses',
    body: (model, stream) => ({ model, input: 'Hi', stream }),
    key: (key) => ({ authorization: `Bearer ${key}` }),
  },
  {
    family: 'anthropic',
    path: () => '/v1/messages',
    body: (model, stream) => ({ model, messages: MESSAGES, max_tokens: 64, stream }),
    key: (key) => ({ 'x-api-key': key }),
  },
  {
    family: 'google',
    path: (model, stream) =>
      `/v1beta/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
    key: (key) => ({ 'x-goog-api-key': key }),
  },
]

type Expected = readonly [status: number, word: string]

interface ErrorClass {
  name: string
  /** Makes it happen. */
  arrange?(fixture: RelayFixture): Promise<unknown> | unknown
  quota?: number
  key?: string
  model?: string
  body?: string
  /** The status, and the code by which the family's clients recognise the error. */
  openai: Expected
  anthropic: Expected
  google: Expected
  /** The header `retry-after`. */
  waitSec?: string
  /** Whether a retry may succeed. */
  passes?: true
  says: RegExp
}

const MODEL = 'gpt-4o-mini'

const changed = (fields: object) => async (fixture: RelayFixture) => {
  const [token] = (await fixture.payer.client.get('/api/token/')).data
  await fixture.app.db.updateTable('tokens').set(fields).where('id', '=', token.id).execute()
  fixture.app.clock.pass(2)
}

const vendorSays =
  (status: number, body: object, headers = {}) =>
  async (fixture: RelayFixture) => {
    const vendor = fakeVendor(() => Response.json(body, { status, headers }))
    await fixture.channel('vendor', { base_url: vendor.url })
  }

const UNAUTHORIZED: Pick<ErrorClass, ApiFamily> = {
  openai: [401, 'authentication_error'],
  anthropic: [401, 'authentication_error'],
  google: [401, 'UNAUTHENTICATED'],
}
const FORBIDDEN: Pick<ErrorClass, ApiFamily> = {
  openai: [403, 'permission_error'],
  anthropic: [403, 'permission_error'],
  google: [403, 'PERMISSION_DENIED'],
}
const UNPAID: Pick<ErrorClass, ApiFamily> = {
  openai: [429, 'insufficient_quota'],
  anthropic: [402, 'billing_error'],
  google: [429, 'RESOURCE_EXHAUSTED'],
}
const INVALID: Pick<ErrorClass, ApiFamily> = {
  openai: [400, 'invalid_request_error'],
  anthropic: [400, 'invalid_request_error'],
  google: [400, 'INVALID_ARGUMENT'],
}
const AWAY: Pick<ErrorClass, ApiFamily> = {
  openai: [503, 'tollgate_error'],
  anthropic: [503, 'overloaded_error'],
  google: [503, 'UNAVAILABLE'],
}

const OURS: Pick<ErrorClass, ApiFamily> = {
  openai: [502, 'upstream_error'],
  anthropic: [502, 'api_error'],
  google: [502, 'UNAVAILABLE'],
}

const CLASSES: ErrorClass[] = [
  { name: 'no key', key: '', ...UNAUTHORIZED, says: /send it as/ },
  { name: 'a wrong key', key: 'sk-nobody', ...UNAUTHORIZED, says: /check it/ },
  { name: 'a disabled key', arrange: changed({ status: 2 }), ...UNAUTHORIZED, says: /enable it/ },
  { name: 'an expired key', arrange: changed({ expired_time: 1 }), ...UNAUTHORIZED, says: /later expiry/ },
  {
    ...{ name: 'a key without quota', arrange: changed({ remain_quota: 0, unlimited_quota: 0 }) },
    ...{ ...UNPAID, says: /raise it/ },
  },
  {
    name: 'an account that is banned',
    arrange: ({ root, payer }) => root.post('/api/user/manage', { username: payer.username, action: 'disable' }),
    ...FORBIDDEN,
    says: /administrator/,
  },
  { name: 'another address', arrange: changed({ subnet: '10.0.0.0/8' }), ...FORBIDDEN, says: /IP ranges/ },
  {
    name: 'a model that the key may not use',
    arrange: changed({ models: 'gpt-4o' }),
    ...FORBIDDEN,
    says: /mean gpt-4o\?/,
  },
  { name: 'no balance', quota: 0, ...UNPAID, says: /needs \$0\.0\d+ of quota: top up/ },
  {
    ...{ name: 'an unknown model', model: 'gpt-4o-mimi' },
    ...{ openai: [404, 'model_not_found'], anthropic: [404, 'not_found_error'], google: [404, 'NOT_FOUND'] },
    says: /does not exist.*: did you mean gpt-4o-mini\?/,
  },
  { name: 'a body that is not JSON', body: '{', ...INVALID, says: /JSON/ },
  {
    ...{ name: 'a body that is too large', body: ' '.repeat(33 * 1024 * 1024) },
    ...{
      openai: [413, 'invalid_request_error'],
      anthropic: [413, 'request_too_large'],
      google: [413, 'INVALID_ARGUMENT'],
    },
    says: /too large/,
  },
  {
    name: 'channels that rest',
    arrange: async (fixture) => {
      const wait = { 'retry-after': '30' }
      await vendorSays(429, { error: { message: 'Slow down', type: 'rate_limit_error' } }, wait)(fixture)
      await fixture.chat('vendor')
      fixture.app.clock.pass(10)
    },
    ...{ model: 'vendor', ...AWAY, waitSec: '20', passes: true, says: /try again in 20 s/ },
  },
  {
    name: 'channels that were switched off after failures',
    arrange: async ({ app, channel }) => {
      const { id } = await channel('failed')
      await app.db.updateTable('channels').set({ status: 3 }).where('id', '=', id).execute()
      app.clock.pass(2)
    },
    ...{ model: 'failed', ...AWAY, waitSec: '60', passes: true, says: /contact the administrator/ },
  },
  {
    name: "a vendor that refuses the channel's key",
    arrange: vendorSays(401, { error: { message: 'Incorrect API key', type: 'invalid_request_error' } }),
    ...{ model: 'vendor', passes: true, says: /Incorrect/ },
    ...OURS,
  },
  {
    name: "a vendor's account without quota",
    arrange: vendorSays(429, { error: { message: 'Check your plan', code: 'insufficient_quota' } }),
    ...{ model: 'vendor', passes: true, says: /Check your plan/ },
    ...OURS,
  },
  {
    name: 'a vendor that is overloaded',
    arrange: vendorSays(529, { error: { message: 'Overloaded', type: 'overloaded_error' } }),
    ...{ model: 'vendor', passes: true, says: /Overloaded/ },
    ...{ openai: [529, 'overloaded_error'], anthropic: [529, 'overloaded_error'], google: [503, 'UNAVAILABLE'] },
  },
]

test.each(CLASSES)(
  '$name: status, format and headers are those of the caller’s own API, whole and streamed',
  async (row) => {
    const fixture = await relayFixture({ quota: row.quota ?? 1_000_000 })
    await fixture.channel(`${MODEL},gpt-4o`)
    await row.arrange?.(fixture)
    for (const { family, path, body, key } of CALLS) {
      for (const stream of [false, true]) {
        const model = row.model ?? MODEL
        const response = await fetch(fixture.app.url + path(model, stream), {
          method: 'POST',
          headers: { ...(row.key === '' ? {} : key(row.key ?? fixture.key)), 'content-type': 'application/json' },
          body: row.body ?? JSON.stringify(body(model, stream)),
        })
        const { status, headers } = response
        const answer = await response.json()
        const [wantedStatus, word] = row[family]
        const at = `${path(model, stream)} ${stream}`
        expect([at, status, wordIn(family, answer)]).toEqual([at, wantedStatus, word])
        const requestId = headers.get('x-request-id') ?? ''
        // Google's clients read the delay from the body, and use a short one if there is none.
        const wait = word === 'RESOURCE_EXHAUSTED' ? '3600' : row.waitSec
        expectShape(answer, family, { status: wantedStatus, requestId, wait })
        expect(answer.error.message).toMatch(row.says)
        expect(answer.error.message).not.toMatch(/\p{Script=Han}/u)
        expect([at, headers.get('x-should-retry')]).toEqual([at, row.passes ? null : 'false'])
        expect([at, headers.get('retry-after')]).toEqual([at, row.waitSec ?? null])
        expect(headers.get('content-type')).toBe('application/json')
        expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
        expect(headers.get('request-id')).toBe(family === 'anthropic' ? headers.get('x-request-id') : null)
      }
    }
    expect(await fixture.openHolds()).toEqual([])
  },
)

function wordIn(family: ApiFamily, { error }: ErrorAnswer) {
  if (family === 'google') return error.status
  return family === 'openai' && error.code === 'model_not_found' ? error.code : error.type
}

interface ErrorAnswer {
  error: { message?: string; type?: string; code?: unknown; status?: string; param?: unknown }
}

/** Exactly these fields. */
function expectShape(
  answer: ErrorAnswer,
  family: ApiFamily,
  { status, requestId, wait }: { status: number; requestId: string; wait?: string | undefined },
) {
  const { message, type, code, param, status: word } = answer.error
  expect(message).toEndWith(`(request id: ${requestId})`)
  const shapes = {
    openai: { error: { message, type, code, param } },
    anthropic: { type: 'error', error: { type, message }, request_id: requestId },
    google: { error: { code: status, message, status: word, ...(wait !== undefined && { details: waiting(wait) }) } },
  }
  expect<unknown>(answer).toEqual(shapes[family])
  expect(family === 'google' ? word : type).toBeString()
  if (family === 'openai') expect(Object.keys(answer.error).sort()).toEqual(['code', 'message', 'param', 'type'])
}

test.each([
  ['POST', '/v1/messages/batches', {}, 400, 'anthropic'],
  ['GET', '/v1/messages/batches/msgbatch_1/results', {}, 404, 'anthropic'],
  ['PUT', '/v1/messages/batches', {}, 405, 'anthropic'],
  ['GET', '/v1/messages', {}, 405, 'anthropic'],
  ['GET', '/v1/files', { 'anthropic-version': '2023-06-01' }, 404, 'anthropic'],
  ['GET', '/v1/files/file-1', {}, 404, 'openai'],
  ['PUT', '/v1/files', {}, 405, 'openai'],
  ['GET', '/v1/models/nobody', { 'anthropic-version': '2023-06-01' }, 404, 'anthropic'],
  ['POST', '/v1beta/models/m:sing', {}, 404, 'google'],
  ['POST', '/v1beta/cachedContents', {}, 404, 'google'],
  ['GET', '/v1beta/models/m:generateContent', {}, 405, 'google'],
  ['POST', '/v1beta/models', {}, 405, 'google'],
  ['GET', '/v1beta/models/nobody', {}, 404, 'google'],
  ['POST', '/v1/models/m:sing', {}, 404, 'google'],
  ['POST', '/models/m:streamGenerateContent', {}, 404, 'google'],
  ['GET', '/v1/chat/completions', {}, 405, 'openai'],
  ['PUT', '/v1/responses', {}, 405, 'openai'],
  ['DELETE', '/v1/models', {}, 405, 'openai'],
  ['GET', '/v1/threads', {}, 404, 'openai'],
  ['GET', '/v1/models/llama3:8b', {}, 404, 'openai'],
  ['GET', '/v1/models/nobody', {}, 404, 'openai'],
  ['POST', '/v1beta/openai/chat/completions', {}, 404, 'openai'],
] as const)('%s %s is refused in the format of its own API', async (method, path, headers, status, family) => {
  const { app, key } = await relayFixture()
  const authorization = `Bearer ${key}`
  const response = await fetch(app.url + path, { method, headers: { authorization, ...headers } })
  expect(response.status).toBe(status)
  expectShape(await response.json(), family, { status, requestId: response.headers.get('x-request-id') ?? '' })
  expect(response.headers.get('x-should-retry')).toBe('false')
  expect(response.headers.has('allow')).toBe(status === 405)
})

test.each([
  ['POST', '/upload/v1beta/files:register'],
  ['POST', '/upload/v1/fileSearchStores/1:uploadToFileSearchStore'],
  ['DELETE', '/v1/files/file-1'],
  ['GET', '/v1/batches/batch_1'],
  ['POST', '/v1/batches/batch_1/cancel'],
  ['POST', '/v1/cachedContents'],
])("%s %s of Google's library is not taken for OpenAI's", async (method, path) => {
  const { app, key } = await relayFixture()
  const response = await fetch(app.url + path, { method, headers: { 'x-goog-api-key': key } })
  expect(response.status).toBe(404)
  const requestId = response.headers.get('x-request-id') ?? ''
  expectShape(await response.json(), 'google', { status: 404, requestId })
})

test.each([
  ['openai', '"type":"insufficient_quota","param":null,"code":"insufficient_quota"'],
  ['responses', '"code":"insufficient_quota"'],
  ['anthropic', '"type":"billing_error"'],
  ['google', '"code":429,'],
] as const)('a balance that ends in mid-stream is reported like one that was empty before: %s', async (name, word) => {
  const options = { DefaultModelRatio: 1, PreConsumedQuota: 10 }
  const { app, channel, key } = await relayFixture({ quota: 500, options })
  await channel('pace/1/2000')
  const call = CALLS.find(({ family, path }) =>
    name === 'responses' ? path('', true) === '/v1/responses' : family === name,
  )
  const response = await fetch(app.url + (call?.path('pace/1/2000', true) ?? ''), {
    method: 'POST',
    headers: { ...call?.key(key), 'content-type': 'application/json' },
    body: JSON.stringify(call?.body('pace/1/2000', true)),
  })
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).toContain(word)
  expect(text).toContain('top up the account')
  expect(await app.audit()).toEqual([])
})

test.each(['/v1/chat/completions', '/v1/responses', '/v1/embeddings', '/v1/audio/speech', '/v1/messages'])(
  'a call to %s without a model is told to name one',
  async (path) => {
    const { app, key } = await relayFixture()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(app.url + path, { method: 'POST', headers, body: '{}' })
    const { error } = await answer.json()
    expect([answer.status, error.type]).toEqual([400, 'invalid_request_error'])
    expect(error.message).toStartWith('The request names no model: name one as "model" (')
    if (path !== '/v1/messages') expect(error.param).toBe('model')
  },
)

test('errors are in the requested language, and in English by default, whatever the language of the site', async () => {
  const { app } = await relayFixture({ options: { DefaultLocale: 'zh' } })
  const said = async (headers: Record<string, string>) =>
    (await (await fetch(`${app.url}/v1/models`, { headers })).json()).error.message
  expect(await said({})).toStartWith('No API key')
  expect(await said({ 'accept-language': '*' })).toStartWith('No API key')
  expect(await said({ 'accept-language': 'zh-CN,zh;q=0.9' })).toStartWith('未提供')
})

const waiting = (seconds: string) =>
  expect.arrayContaining([{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }])
