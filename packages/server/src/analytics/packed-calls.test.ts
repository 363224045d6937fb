import { expect, setDefaultTimeout, test } from 'bun:test'
import type { AnalyticsQuery, Dimension } from '@tollgate/contract'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeUser } from '../testing/makers.ts'
import {
  byGroup,
  type Call,
  callAt,
  dayIn,
  END,
  NAME_OF,
  ofLog,
  ofRows,
  packedDaysFixture,
  START,
  withoutTime,
  ZONES,
} from '../testing/packed-days-fixture.ts'
import { packDays } from './pack-days.ts'
import { FOUR_DAYS } from './zone-time.ts'

setDefaultTimeout(120_000)

type Fixture = Awaited<ReturnType<typeof fixture>>
type Filter = Partial<Pick<AnalyticsQuery, 'model' | 'channel' | 'key' | 'group'>>

const FILTERS: Filter[] = [
  { model: 'model-1' },
  { channel: 2 },
  { model: 'model-1', channel: 2 },
  { key: 'key-1' },
  { key: 'key-1', channel: 2 },
  { group: 'a' },
  { group: 'a', model: 'model-1' },
  { group: 'b', key: 'key-0' },
]
const PARTS = ['model', 'channel', 'user', 'key', 'group'] as const satisfies Dimension[]

/** The first three users of the log have an account, the fourth has none. */
async function fixture() {
  const packed = await packedDaysFixture()
  const ids = [1, (await makeUser(packed.app)).id, (await makeUser(packed.app)).id]
  const groups = ['a', 'b', 'a,b']
  for (const [at, id] of ids.entries())
    await packed.app.db
      .updateTable('users')
      .set({ group: groups[at] ?? '' })
      .where('id', '=', id)
      .execute()
  const groupOf = ({ user_id }: Call) => groups[ids.indexOf(user_id)]?.[0] ?? ''
  return { ...packed, groupOf }
}

async function isReported({ read, groupOf }: Fixture, calls: readonly Call[], zones: readonly string[]) {
  for (const filter of FILTERS) {
    const { model, channel, key, group } = { ...NO_FILTER, ...filter }
    const found = calls
      .filter((call) => (model ?? call.model_name) === call.model_name && (channel ?? call.channel) === call.channel)
      .filter((call) => (key ?? call.token_name) === call.token_name && (group ?? groupOf(call)) === groupOf(call))
    for (const part of PARTS) {
      const nameOf = part === 'group' ? groupOf : (NAME_OF[part] ?? String)
      const named = part === 'group' ? byGroup : ofRows
      const { rows, totals } = await read({ ...filter, by: [part] })
      const expected = ofLog(found, nameOf)
      expect([filter, part, named(rows)]).toEqual([filter, part, part === 'group' ? expected : withoutTime(expected)])
      expect([filter, totals.active_users, totals.active_keys]).toEqual([
        filter,
        new Set(found.map(({ user_id }) => user_id)).size,
        new Set(found.map(({ user_id, token_name }) => `${user_id} ${token_name}`)).size,
      ])
      for (const zone of zones) {
        const daily = await read({ ...filter, by: ['time', part], step: 'day', zone })
        const ofDays = ofLog(found, (call) => `${dayIn(zone, call)} ${nameOf(call)}`)
        expect([zone, filter, part, named(daily.rows)]).toEqual([zone, filter, part, ofDays])
      }
    }
  }
}

const NO_FILTER: Filter = { model: undefined, channel: undefined, key: undefined, group: undefined }

test('who called a model, used a channel, or is in a group equals the log by every dimension, in every zone', async () => {
  const made = await fixture()
  await made.packDays()
  await isReported(made, made.calls, ZONES)
})

test('a call that is written late is counted at once, and its day is packed again', async () => {
  const made = await fixture()
  await made.packDays()
  const late = { ...callAt(START + 20 * 86_400, () => 1), token_name: 'key-new', quota: 7000 }
  await makeLogs(made.app, late)
  await isReported(made, [...made.calls, late], ['Asia/Kolkata'])
  await made.packDays()
  await isReported(made, [...made.calls, late], ['Asia/Kolkata'])
})

test('a call that is written while two nodes pack its day is not missing', async () => {
  const made = await fixture()
  const late = { ...callAt(START + 20 * 86_400, () => 1), quota: 7000 }
  const start = late.created_at - (late.created_at % FOUR_DAYS)
  const figures = await upToDateFigures(made.app.db)
  const packing = packDays(figures, { span: FOUR_DAYS, start })
  await makeLogs(made.app, late)
  await upToDateFigures(made.app.db)
  // Another node, which has seen the call.
  await packDays(figures, { span: FOUR_DAYS, start })
  await packing
  await isReported(made, [...made.calls, late], ['UTC'])
})

test('packed days answer without the rows of their calls', async () => {
  const { app, calls, read, packDays, packed, groupOf } = await fixture()
  await packDays()
  expect(await packed()).toHaveLength(16)
  // The four days in which the range ends are read by the hour.
  const end = END - (END % FOUR_DAYS)
  await app.db.deleteFrom('usage_hours').where('hour', '<', end).execute()
  await app.db.deleteFrom('usage_days').execute()
  await app.db.deleteFrom('key_usage').where('start', '<', end).execute()
  await app.db.deleteFrom('site_usage').where('start', '<', end).execute()
  const zone = 'America/New_York'
  for (const part of PARTS) {
    const nameOf = part === 'group' ? groupOf : (NAME_OF[part] ?? String)
    const { rows } = await read({ by: ['time', part], step: 'day', zone })
    const expected = ofLog(calls, (call) => `${dayIn(zone, call)} ${nameOf(call)}`)
    expect([part, (part === 'group' ? byGroup : ofRows)(rows)]).toEqual([part, expected])
  }
  const { rows } = await read({ by: ['time', 'model'], step: 'day', zone, group: 'a' })
  const members = calls.filter((call) => groupOf(call) === 'a')
  expect(ofRows(rows)).toEqual(ofLog(members, (call) => `${dayIn(zone, call)} ${call.model_name}`))
})
