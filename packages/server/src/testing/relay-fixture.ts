import { expect, onTestFinished } from 'bun:test'
import { sql } from 'kysely'
import { SLICE_IDS } from '../ledger/slice.ts'
import { parseDetail } from '../logs/call-detail.ts'
import { type TestApp, testApp } from './app.ts'
import { makeChannel } from './channel-makers.ts'
import type { Client } from './client.ts'
import type { Faults } from './failing-database.ts'
import { fakeUpstream } from './fake-upstream.ts'
import { asRoot, makeUser, setOptions } from './makers.ts'

export type RelayFixture = Awaited<ReturnType<typeof relayFixture>>

/** The two ways in which a caller asks for an answer. */
export const PLAIN_AND_STREAM = [
  { way: 'plain', stream: false },
  { way: 'stream', stream: true },
]

export const MESSAGES = [{ role: 'user', content: 'Hello there' }]

/** A stream contains its cost only on request. */
export const ASKS_COST = { headers: { 'x-tollgate-cost': 'stream' } }

interface Overrides {
  quota?: number
  group?: string
  role?: number
  options?: Record<string, string | number | boolean>
  /** A database of the test's own, already up to date. */
  location?: string
  redisUrl?: string
  faults?: Faults
  config?: Parameters<typeof testApp>[0]
}

interface Sent {
  key?: string
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Another node on the same database. */
  url?: string | undefined
}

/** A gateway with a fake provider behind it, and a user who may spend. */
export const relayFixture = async ({
  quota = 1_000_000,
  options = {},
  location,
  redisUrl,
  faults,
  config,
  ...user
}: Overrides = {}) => {
  const node = { ...(location !== undefined && { location }), ...(redisUrl !== undefined && { redisUrl }) }
  const app = await testApp({ ...config, ...node, ...(faults !== undefined && { faults }) })
  const upstream = fakeUpstream()
  onTestFinished(() => upstream.stop())
  const root = await asRoot(app)
  const payer = await makeUser(app, { quota, ...user })
  if (Object.keys(options).length > 0) await setOptions(app, options)
  const key = await keyOf(payer.client)

  const post = (path: string, body: object, { key: other, headers, signal, url = app.url }: Sent = {}) => {
    return fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${other ?? key}`,
        ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body instanceof FormData || body instanceof Blob ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  return {
    app,
    upstream,
    root,
    payer,
    key,
    post,
    chat: (model: string, fields: object = {}, sent: Sent = {}) =>
      post('/v1/chat/completions', { model, messages: MESSAGES, ...fields }, sent),
    /** A channel to the fake provider, offering these models. */
    channel: (models: string, fields: Record<string, unknown> = {}) =>
      makeChannel(root, { type: 8, base_url: upstream.url, models, ...fields }),
    ...booksOf(app, payer.id),
  }
}

/** The key of a user's first token, as a client sends it. */
export const keyOf = async (client: Client) => `sk-${(await client.get('/api/token/')).data[0].key}`

/** The ledger's state of one user. What a process has borrowed and no call holds counts as not held. */
export const booksOf = (app: TestApp, userId: number) => {
  const borrowed = sql`(SELECT coalesce(sum(amount), 0) FROM holds
    WHERE user_id = users.id AND state = 0 AND id LIKE ${SLICE_IDS})`
  const account = () =>
    app.db
      .selectFrom('users')
      .select(['quota', sql<number>`CAST(held - ${borrowed} AS bigint)`.as('held'), 'used_quota', 'request_count'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
  const openHolds = () =>
    app.db.selectFrom('holds').select('id').where('state', '=', 0).where('id', 'not like', SLICE_IDS).execute()
  const logs = async () => {
    const rows = await app.db
      .selectFrom('logs')
      .selectAll()
      .where('user_id', '=', userId)
      .where('type', 'in', [2, 6])
      // Calls that were refused before a channel was chosen are written later.
      .where(({ eb, or }) => or([eb('type', '=', 2), eb('channel', '<>', 0)]))
      .orderBy('id')
      .execute()
    return rows.map((row) => ({ ...row, detail: parseDetail(row.detail) }))
  }
  return {
    account,
    logs,
    /** The only log row there is. */
    async onlyLog() {
      const rows = await logs()
      expect(rows).toHaveLength(1)
      const [row] = rows
      if (row === undefined) throw new Error('There is no log row')
      return row
    },
    charges: () =>
      app.db
        .selectFrom('ledger')
        .select(['kind', 'ref', 'delta', 'token_id', 'channel_id'])
        .where('user_id', '=', userId)
        .where('kind', 'in', ['consume', 'late'])
        .orderBy('id')
        .execute(),
    openHolds,
    /** A client that has disconnected does not learn when its call was settled: this waits until every call has ended. */
    async atRest() {
      const deadline = Date.now() + 20_000
      for (;;) {
        const open = app.callsInSlices() + (await openHolds()).length
        if (open === 0 && app.parts.watchdog.running() === 0) return
        if (Date.now() > deadline) throw new Error(`Still open: ${open}, ${app.parts.watchdog.running()}`)
        await Bun.sleep(5)
      }
    },
  }
}

interface Priced {
  usage: Record<string, number>
  price: { factor: string; rates: Record<string, string> }
}

/** The sum of the detail of a log row by its own numbers, before rounding. */
export const readded = ({ usage, price: { factor, rates } }: Priced) =>
  Object.entries(usage).reduce((sum, [bucket, count]) => sum + count * Number(rates[bucket]), 0) * Number(factor)

/** The events of a finished stream: the payload of `data:` lines, and the comments. */
export const readStream = async (response: Response) => {
  const text = await response.text()
  const lines = text.split(/\r\n|\n/)
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim())
  const cost = lines.find((line) => line.startsWith(': tollgate '))?.slice(11)
  const parsed = data.filter((line) => line.startsWith('{')).flatMap(parsable)
  return {
    text,
    done: data.at(-1) === '[DONE]',
    cost: cost === undefined ? undefined : JSON.parse(cost),
    error: parsed.find((event) => 'error' in event)?.error,
    events: parsed,
    content: parsed.map((event) => event.choices?.[0]?.delta?.content ?? '').join(''),
  }
}

interface StreamedEvent {
  choices?: { delta?: { content?: string } }[]
  usage?: unknown
  error?: { message: string; type: string; code: string | null }
}

function parsable(text: string): StreamedEvent[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}
