import { expect, setDefaultTimeout, test } from 'bun:test'
import { type AnalyticsRow, type Log, LogType, OUTCOMES } from '@tollgate/contract'
import { cacheReads, type Usage, usageOf } from '@tollgate/providers'
import { offsetAt } from '../common/calendar.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import type { Client } from '../testing/client.ts'
import { asRoot, makeUser, signedIn } from '../testing/makers.ts'
import { keyOf, relayFixture } from '../testing/relay-fixture.ts'
import { makeToken, nowOf } from '../testing/token-makers.ts'

// A month of calls through the relay, and some hundred questions.
setDefaultTimeout(240_000)

const at = (text: string) => Date.parse(text) / 1000
const [FIRST, NOW] = [at('2026-10-20T10:00Z'), at('2026-11-18T15:20Z')]
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Shanghai']

/** Where days of these zones begin, and where their clocks went back. */
const EDGES = [
  ...['2026-10-24T22:00Z', '2026-10-25T01:00Z', '2026-10-25T18:30Z', '2026-10-25T23:00Z', '2026-10-31T16:00Z'],
  ...['2026-11-01T04:00Z', '2026-11-01T06:00Z', '2026-11-02T05:00Z', '2026-11-10T00:00Z', '2026-11-17T18:30Z'],
].map(at)

/** Answered, with cached tokens, by the second channel, refused by the vendor, by both, and before a channel was chosen. */
const MODELS = ['fixed/7/3', 'usage/buckets', 'then/rate/say/5', 'fault/bad-request', 'fault/server', '没有/这个:模型']

/** Calls of two users with three keys at each of the edges; halfway a key, a user and a group change, and a channel goes. */
async function monthOfCalls() {
  const { app, payer, chat, channel, key } = await relayFixture({ quota: 1e12, options: { RetryTimes: 2 } })
  const offered = MODELS.slice(0, 5).join(',')
  await channel(offered)
  const { id: second } = await channel(offered, { priority: 1 })
  const other = await makeUser(app, { quota: 1e12, group: 'default' })
  const renamed = await makeToken(payer.client, { unlimited_quota: true, name: 'before "it"' })
  const keys = [key, `sk-${renamed.key}`, await keyOf(other.client)]
  app.clock.set(FIRST - nowOf(app))
  for (const [place, edge] of EDGES.entries()) {
    for (const moment of [edge - 1, edge, edge + HOUR / 2]) {
      app.clock.pass(moment - nowOf(app))
      const by = { key: keys[moment % keys.length] ?? key }
      for (const model of MODELS) await (await chat(model, { stream: moment % 2 === 0 }, by)).text()
    }
    if (place !== EDGES.length / 2) continue
    const root = await asRoot(app)
    expect(await root.delete(`/api/channel/${second}`)).toMatchObject({ success: true })
    const owner = await signedIn(app, payer.id)
    expect(await owner.put('/api/token/', { id: renamed.id, name: '之后 / %' })).toMatchObject({ success: true })
    for (const [id, username, group] of [
      [payer.id, 'renamed', 'default'],
      [other.id, other.username, 'vip'],
    ] as const)
      expect(await root.put('/api/user/', { id, username, group })).toMatchObject({ success: true })
  }
  app.clock.pass(NOW - nowOf(app))
  await app.parts.refusedCalls.flush()
  const groups = new Map([
    [payer.id, 'default'],
    [other.id, 'vip'],
  ])
  return { app, root: await asRoot(app), owner: await signedIn(app, payer.id), groups }
}

const exported = async (client: Client, path: string): Promise<Log[]> =>
  String((await client.get(`${path}?format=jsonl&type=${LogType.calls}`)).data)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const FIGURES = ['calls', 'failed', 'quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens'] as const
type Figures = Pick<AnalyticsRow, (typeof FIGURES)[number] | 'outcomes'>

/** The figures of some entries, as anybody would add them up. */
function added(entries: readonly Log[]) {
  const sums: Record<string, number> = Object.fromEntries([...FIGURES, ...OUTCOMES].map((name) => [name, 0]))
  const add = (name: string, amount: number) => {
    sums[name] = (sums[name] ?? 0) + amount
  }
  for (const { detail, outcome, quota, prompt_tokens, completion_tokens } of entries) {
    const count = Number(detail?.count ?? 1)
    add('calls', count)
    add(outcome, count)
    if (outcome !== 'success' && outcome !== 'canceled') add('failed', count)
    const usage = usageOf((detail?.usage ?? {}) as Partial<Usage>)
    for (const [name, amount] of Object.entries({ quota, prompt_tokens, completion_tokens })) add(name, amount)
    add('cached_tokens', cacheReads(usage))
  }
  return sums
}

const shown = (row: Figures): Record<string, number | null | undefined> => ({
  ...Object.fromEntries(FIGURES.map((name) => [name, row[name]])),
  ...row.outcomes,
})

type Name = 'time' | 'model' | 'channel' | 'user' | 'key' | 'group'

const OF_ONE: Name[][] = [['time'], ['time', 'model'], ['key'], ['model', 'key']]
const OF_ALL: Name[][] = [
  ['time'],
  ['model'],
  ['user'],
  ['group'],
  ['key'],
  ['time', 'model'],
  ['time', 'channel'],
  ['time', 'user'],
  ['user', 'model'],
]

const modelOf = ({ model_name, detail }: Log) => (detail?.counted_model === '' ? '' : model_name)

test('figures of a month through the relay equal the sums of the exported log: by day, name and pair, in every zone', async () => {
  const { app, root, owner, groups } = await monthOfCalls()
  const dayOf = (zone: string, { created_at }: Log) => {
    const hour = created_at - (created_at % HOUR)
    return Math.floor((hour + offsetAt(zone, hour)) / DAY)
  }
  const dayIn = (zone: string, time = 0) => Math.floor((time + offsetAt(zone, time)) / DAY)
  const NAMES: Record<Exclude<Name, 'time'>, (entry: Log) => string | number> = {
    ...{ model: modelOf, channel: (entry) => entry.channel, user: (entry) => entry.username },
    ...{ key: (entry) => entry.token_name, group: (entry) => groups.get(entry.user_id) ?? '' },
  }
  const compare = async (client: Client, usage: string, entries: readonly Log[], names: readonly Name[]) => {
    const by = names.join(',')
    for (const zone of ZONES)
      for (const days of [30, 7, 2]) {
        const start = (Math.floor((NOW + offsetAt(zone, NOW)) / DAY) - days + 1) * DAY
        const from = start - offsetAt(zone, start - offsetAt(zone, start))
        const query = { start: String(from), end: String(NOW), zone, by, top: '100', step: 'day' }
        const { data } = await client.get(`${usage}?${new URLSearchParams(query)}`)
        const within = ({ start: first, end }: { start: number; end: number }) =>
          entries.filter(({ created_at }) => created_at >= first && created_at < end)
        const where = [usage, zone, days, by]
        expect([...where, shown(data.totals)]).toEqual([...where, added(within(data))])
        expect([...where, shown(data.previous)]).toEqual([...where, added(within(data.previous))])
        const expected = Map.groupBy(within(data), (entry) =>
          names.map((name) => (name === 'time' ? dayOf(zone, entry) : NAMES[name](entry))).join(' | '),
        )
        // Two users may have a key of the same name, which is a row each.
        const rows = new Map<string, Record<string, number>>()
        const found: AnalyticsRow[] = data.rows
        for (const row of found) {
          const name = names.map((one) => (one === 'time' ? dayIn(zone, row.time) : row[one])).join(' | ')
          const known = rows.get(name) ?? {}
          rows.set(
            name,
            Object.fromEntries(Object.entries(shown(row)).map(([k, v]) => [k, (known[k] ?? 0) + (v ?? 0)])),
          )
        }
        if (client === owner) expect([...where, rows.size]).toEqual([...where, found.length])
        const told = Object.fromEntries([...expected].map(([name, some]) => [name, added(some)]))
        expect([...where, Object.fromEntries(rows)]).toEqual([...where, told])
      }
  }
  const everybodys = await exported(root, '/api/log/export')
  const own = await exported(owner, '/api/log/self/export')
  expect(new Set(everybodys.map(({ outcome }) => outcome)).size).toBeGreaterThan(2)
  for (const pass of ['as they were written', 'packed']) {
    if (pass === 'packed') await app.parts.packDays.job.run()
    for (const names of OF_ALL) await compare(root, '/api/analytics/', everybodys, names)
    for (const names of OF_ONE) await compare(owner, '/api/analytics/self', own, names)
  }
})
