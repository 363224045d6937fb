import { expect, test } from 'bun:test'
import { ENDPOINTS, type EndpointShape, Envelope, OPTION_KEYS, Role, UserStatus } from '@tollgate/contract'
import fc from 'fast-check'
import { openApiDocument } from '../docs/openapi.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { HOSTILE, type Known, membersFor, schemaOf, valueFor } from '../testing/arbitrary-from-schema.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import type { Client } from '../testing/client.ts'
import { asRoot, makeUser, PASSWORD, signedIn } from '../testing/makers.ts'
import { makeCode } from '../testing/redemption-makers.ts'

/*
 * Every operation gets some dozens of generated requests as four roles: nothing may answer 5xx, and every answer is an envelope with a
 * documented status and documented data. FUZZ_SEED repeats a run, FUZZ_RUNS makes it longer.
 */

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const RUNS = Number(process.env.FUZZ_RUNS ?? 4)
const AT_ONCE = 8

const ROLES = { anonymous: undefined, user: Role.user, admin: Role.admin, root: Role.root } as const

type RoleName = keyof typeof ROLES

interface Case {
  role: RoleName
  language: string
  param: unknown
  query: Record<string, unknown>
  body: unknown
}

const NOUNS = [...new Set(ENDPOINTS.map(({ noun }) => noun))]
const documented = openApiDocument().paths as Record<string, Record<string, { responses: Record<string, unknown> }>>

test.each(NOUNS)(
  `whatever is sent to %s, the answer is a documented envelope and never a server error (seed ${SEED})`,
  async (noun) => {
    const app = await testApp()
    for (const { name, endpoint } of ENDPOINTS.filter((entry) => entry.noun === noun)) {
      const world = await makeWorld(app, endpoint)
      const cases = fc.array(caseFor(endpoint, world.known), { minLength: AT_ONCE, maxLength: AT_ONCE })
      const property = fc.asyncProperty(cases, async (batch) => {
        // All are signed in before the first is sent: a request may delete or ban the account of another.
        const ready = []
        for (const one of batch) ready.push({ one, client: await clientOf(app, one.role) })
        const answers = await Promise.all(ready.map(({ client, one }) => send(client, endpoint, one)))
        for (const answer of answers) await judge(name, endpoint, answer)
      })
      await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true, includeErrorInReport: true })
    }
    expect(app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
    expect(await app.audit()).toEqual([])
  },
  60_000,
)

function caseFor(endpoint: EndpointShape, known: Known): fc.Arbitrary<Case> {
  const members = (type: EndpointShape['query'] | EndpointShape['body']) =>
    type === undefined ? fc.constant({}) : membersFor(schemaOf(type), known)
  return fc.record({
    role: fc.constantFrom<RoleName>('anonymous', 'user', 'admin', 'root', 'root'),
    language: fc.constantFrom('zh', 'en'),
    param: valueFor({ type: 'integer', minimum: 1, maximum: 9 }, known, 'id'),
    query: members(endpoint.query),
    body:
      endpoint.body === undefined
        ? fc.constant(undefined)
        : fc.oneof(
            { weight: 9, arbitrary: members(endpoint.body) },
            { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
          ),
  })
}

async function send(client: Client, endpoint: EndpointShape, { language, param, query, body }: Case) {
  const path = endpoint.path.replaceAll(/:\w+/g, () => segment(param))
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${segment(value)}`)
  const answered = await client.send(endpoint.method, `${path}?${pairs.join('&')}`, textOf(body), {
    'accept-language': language,
  })
  return { ...answered, language }
}

async function judge(name: string, endpoint: EndpointShape, answered: Awaited<ReturnType<typeof send>>) {
  const { status, headers, success, message, data, body, language } = answered
  const { responses = {} } =
    documented[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()] ?? {}
  expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining([String(status)])])
  if (endpoint.file && success) return expect(headers.get('content-type')).toMatch(/^(text\/csv|application\/x-ndjson)/)
  if (endpoint.events && success) return expect(headers.get('content-type')).toStartWith('text/event-stream')
  expect(headers.get('content-type')).toStartWith('application/json')
  expect(Envelope.safeParse(body).success).toBe(true)
  if (!success) {
    expect(message).not.toBe('')
    expect(data).toBeUndefined()
    if (language === 'en') expect(message.replaceAll(/[:：].*/gs, '')).not.toMatch(/\p{Script=Han}/u)
    return
  }
  expect(status).toBe(200)
  if (endpoint.data === undefined) expect(data).toBeUndefined()
  else expect<unknown>(endpoint.data.parse(data)).toEqual(data)
  if (endpoint.extra !== undefined) endpoint.extra.parse(body)
  if (endpoint.paged) expect(headers.get('x-total-count')).toMatch(/^\d+$/)
}

/** One of everything, and how generated requests can refer to it. */
async function makeWorld(app: TestApp, endpoint: EndpointShape) {
  const root = await asRoot(app)
  const target = await makeUser(app)
  await app.db.deleteFrom('channels').execute()
  // There are no channels where all of them are called; where one is, nothing listens at its address.
  const callsAll = endpoint.path === '/api/channel/test' || endpoint.path === '/api/channel/update_balance'
  const channel = callsAll ? { id: 1 } : await makeChannel(root, { base_url: 'http://127.0.0.1:1' })
  const code = await makeCode(root)
  const isOption = endpoint.path === '/api/option/'
  const token = (await root.post('/api/token/', { name: 'fuzz' })).data
  const mine = { '/api/token/': token.id, '/api/channel/': channel.id, '/api/redemption/': code.id }
  const own = Object.entries(mine).find(([path]) => endpoint.path.startsWith(path))?.[1] ?? target.id
  const ids = fc.constantFrom(own, own, own, target.id, 1, 987_654)
  const known: Record<string, fc.Arbitrary<unknown>> = {
    id: ids,
    user_id: ids,
    // No generated value may make the test contact another host.
    base_url: fc.constantFrom('http://127.0.0.1:1', 'http://127.0.0.1:1/', 'http://169.254.169.254'),
    username: fc.oneof(fc.constantFrom(target.username, 'root'), fc.string({ minLength: 1, maxLength: 12 })),
    password: fc.constantFrom(PASSWORD, PASSWORD, 'short', ''),
    password2: fc.constant(PASSWORD),
    display_name: fc.string({ maxLength: 20 }),
    aff_code: fc.constantFrom('', null),
    role: fc.constantFrom(1, 1, 10, 100),
    status: fc.constantFrom(1, 2, 3),
    name: fc.constantFrom('a name', '名称'),
    models: fc.constantFrom('gpt-4o', 'a,b'),
    subnet: fc.constantFrom('', '10.0.0.0/8'),
    group: fc.constantFrom('default', 'vip,default'),
    key: isOption ? fc.constantFrom(...OPTION_KEYS) : fc.constantFrom(code.key, code.key, 'sk-some-key', ''),
    value: fc.constantFrom('true', 'false', '1', '{"default":1}', 'https://example.com', 'text', ''),
    type: endpoint.path === '/api/channel/' ? fc.integer({ min: 1, max: 43 }) : fc.integer({ min: 0, max: 6 }),
    config: fc.constantFrom('{}', '{"ak":"a","sk":"s","region":"r"}', ''),
    model_mapping: fc.constantFrom('', '{"a":"b"}', 'null'),
  }
  return { known: (name: string) => (Object.hasOwn(known, name) ? known[name] : undefined) }
}

const actors = new WeakMap<TestApp, Map<RoleName, number>>()

/** A client of the role. An account that an earlier request deleted, banned or gave another role is replaced. */
async function clientOf(app: TestApp, role: RoleName) {
  const wanted = ROLES[role]
  if (wanted === undefined) return app.client()
  if (wanted === Role.root) return asRoot(app)
  const known = actors.get(app) ?? new Map<RoleName, number>()
  actors.set(app, known)
  const id = known.get(role)
  const row = id === undefined ? undefined : await app.parts.accounts.find(id)
  if (row?.role === wanted && row.status === UserStatus.enabled) return signedIn(app, row.id)
  const fresh = await makeUser(app, { role: wanted })
  known.set(role, fresh.id)
  return fresh.client
}

/** As a browser would encode it in a URL; half a surrogate pair cannot be encoded and is sent as an invalid byte. */
function segment(value: unknown) {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.isWellFormed() ? encodeURIComponent(text) || '%20' : '%ED%A0%80'
}

function textOf(body: unknown) {
  return body === undefined ? undefined : JSON.stringify(body)
}
