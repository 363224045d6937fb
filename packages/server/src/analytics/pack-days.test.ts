import { expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'kysely'
import { DAY, HOUR } from '../common/time-units.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeUser } from '../testing/makers.ts'
import {
  byGroup,
  type Call,
  callAt,
  dayIn,
  END,
  EVERY,
  NAME_OF,
  ofLog,
  ofRows,
  packedDaysFixture,
  START,
  STEPS,
  stepOf,
  withoutTime,
  ZONES,
} from '../testing/packed-days-fixture.ts'
import { createPackDays } from './pack-days.ts'
import type { PackKind } from './packs-repository.ts'
import { FOUR_DAYS } from './zone-time.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(120_000)

test('results from packed days equal the sums of the log, by every dimension, in every zone', async () => {
  const { calls, read, packDays, packed } = await packedDaysFixture()
  await packDays()
  expect(await packed()).toHaveLength(16)
  for (const dimension of EVERY) {
    const nameOf = NAME_OF[dimension] ?? String
    const { rows, totals } = await read({ by: [dimension] })
    expect(ofRows(rows)).toEqual(withoutTime(ofLog(calls, nameOf)))
    expect(totals).toMatchObject({ calls: calls.length, active_users: 4, active_keys: 8 })
    for (const zone of ZONES)
      for (const step of STEPS) {
        const answer = await read({ by: ['time', dimension], zone, step })
        const expected = ofLog(calls, (call) => `${stepOf(call.created_at, step as 'day', zone)} ${nameOf(call)}`)
        expect([zone, step, ofRows(answer.rows)]).toEqual([zone, step, expected])
      }
  }
  const { rows } = await read({ by: ['model', 'channel'] })
  expect(ofRows(rows)).toEqual(withoutTime(ofLog(calls, (call) => `${call.model_name} ${call.channel}`)))
  const part = { start: START + 7 * DAY + 3 * HOUR, end: END - 5 * DAY }
  const within = calls.filter(({ created_at }) => created_at >= part.start && created_at < part.end)
  expect((await read({ ...part, by: ['key'] })).totals.calls).toBe(within.length)
})

test('a call that is written late is counted at once, and its days are packed again', async () => {
  const { app, calls, read, packDays, packed } = await packedDaysFixture()
  await packDays()
  const before = await packed()
  const late = { ...callAt(START + 20 * DAY, () => 1), quota: 7000 }
  await makeLogs(app, late)
  expect(await packed()).toHaveLength(before.length - 1)
  const isReported = async () => {
    for (const dimension of EVERY) {
      const nameOf = NAME_OF[dimension] ?? String
      expect(ofRows((await read({ by: [dimension] })).rows)).toEqual(withoutTime(ofLog([...calls, late], nameOf)))
      const daily = await read({ by: ['time', dimension], step: 'day', zone: 'Asia/Kolkata' })
      const expected = ofLog([...calls, late], (call) => `${dayIn('Asia/Kolkata', call)} ${nameOf(call)}`)
      expect([dimension, ofRows(daily.rows)]).toEqual([dimension, expected])
    }
  }
  await isReported()
  await packDays()
  const after = await packed()
  expect(after).toHaveLength(before.length)
  // A second run changes nothing.
  await packDays()
  expect(await packed()).toEqual(after)
  await isReported()
})

test('the steps of one model or one channel equal the log, in every zone', async () => {
  const { calls, read, packDays } = await packedDaysFixture()
  await packDays()
  const filters = [{ model: 'model-1' }, { channel: 2 }, { model: 'model-1', channel: 2 }]
  for (const filter of filters) {
    const { model, channel } = { model: undefined, channel: undefined, ...filter }
    const chosen = calls.filter((call) => (model ?? call.model_name) === call.model_name)
    const found = chosen.filter((call) => (channel ?? call.channel) === call.channel)
    for (const zone of ZONES)
      for (const part of ['model', 'channel'] as const) {
        const nameOf = NAME_OF[part] ?? String
        const days = await read({ ...filter, by: ['time'], zone, step: 'day' })
        expect([zone, filter, ofRows(days.rows)]).toEqual([
          zone,
          filter,
          ofLog(found, (call) => `${dayIn(zone, call)}`),
        ])
        const named = await read({ ...filter, by: ['time', part], zone, step: 'day' })
        const expected = ofLog(found, (call) => `${dayIn(zone, call)} ${nameOf(call)}`)
        expect([zone, filter, ofRows(named.rows)]).toEqual([zone, filter, expected])
      }
  }
  const month = { start: START + 5 * DAY, end: START + 35 * DAY }
  const within = calls.filter(({ created_at }) => created_at >= month.start && created_at < month.end)
  const hourly = await read({ ...month, by: ['time', 'model'], step: 'hour' })
  const hourOf = ({ created_at }: Call) => created_at - (created_at % HOUR)
  expect(ofRows(hourly.rows)).toEqual(ofLog(within, (call) => `${hourOf(call)} ${call.model_name}`))
})

test('days whose packs are missing are read by the hour until they are packed', async () => {
  const { app, calls, read, packDays } = await packedDaysFixture()
  await packDays()
  await app.db.deleteFrom('packed_days').execute()
  await app.db.deleteFrom('figure_packs').execute()
  const isReported = async () => {
    const { rows } = await read({ by: ['time', 'model'], step: 'day', zone: 'America/New_York' })
    const expected = ofLog(calls, (call) => `${dayIn('America/New_York', call)} ${call.model_name}`)
    expect(ofRows(rows)).toEqual(expected)
  }
  await isReported()
  await packDays()
  expect(await app.db.selectFrom('figure_packs').select('start').execute()).not.toBeEmpty()
  await isReported()
})

/** What nodes of an older version do not write. */
const NEWER: PackKind[] = ['routes until', 'active', 'callers']

test('the packs of an older version, which are fewer, are not read and are made again', async () => {
  const { app, calls, read, packDays, packed } = await packedDaysFixture()
  await packDays()
  const all = await packed()
  await app.db
    .deleteFrom('figure_packs')
    .where('kind', 'in', [...NEWER, 'figures'])
    .execute()
  expect(await packed()).toEqual([])
  expect(ofRows((await read({ by: ['model'] })).rows)).toEqual(withoutTime(ofLog(calls, (call) => call.model_name)))
  await packDays()
  expect(await packed()).toEqual(all)
})

test('days that a node of an older version has packed again are not read until they are complete', async () => {
  const { app, calls, read, packDays, packed } = await packedDaysFixture()
  await packDays()
  const all = await packed()
  const late = { ...callAt(START + 20 * DAY, () => 1), quota: 7000 }
  await makeLogs(app, late)
  await upToDateFigures(app.db)
  const sum = sql<number>`(SELECT CAST(sum(${sql.raw(FIGURE_COLUMNS.join(' + '))}) AS bigint) FROM total_usage
    WHERE span = ${sql.lit(DAY)} AND start >= packed_days.start AND start < packed_days.start + packed_days.span)`
  await app.db.updateTable('packed_days').set({ total: sum }).execute()
  const isReported = async () => {
    const { rows, totals } = await read({ by: ['time', 'model'], step: 'day', zone: 'Asia/Shanghai' })
    const expected = ofLog([...calls, late], (call) => `${dayIn('Asia/Shanghai', call)} ${call.model_name}`)
    expect(ofRows(rows)).toEqual(expected)
    expect(totals).toMatchObject({ calls: calls.length + 1, active_keys: 8 })
  }
  expect(await packed()).toHaveLength(all.length - 1)
  await isReported()
  await packDays()
  expect(await packed()).toHaveLength(all.length)
  await isReported()
})

test('the first names of each dimension and the sum of all others equal the log, also where two users had a name', async () => {
  const { app, random, calls, read, packDays } = await packedDaysFixture()
  const renamed = Array.from({ length: 40 }, () => ({ ...callAt(START + random(60 * DAY), random), user_id: 9 }))
  await makeLogs(app, ...renamed)
  await packDays()
  for (const dimension of EVERY) {
    const nameOf = NAME_OF[dimension] ?? String
    const all = [...calls, ...renamed]
    const first = Object.entries(ofLog(all, nameOf))
      .sort(([, [, one = 0]], [, [, other = 0]]) => other - one)
      .map(([name]) => name)
      .slice(0, 2)
    // The others are listed without a name.
    const listed = (call: Call) => (first.includes(nameOf(call)) ? ` ${nameOf(call)}` : '')
    const whole = await read({ by: [dimension], top: 2 })
    expect(ofRows(whole.rows)).toEqual(ofLog(all, listed))
    const daily = await read({ by: ['time', dimension], step: 'day', top: 2 })
    const expected = ofLog(all, (call) => `${stepOf(call.created_at, 'day', 'UTC')}${listed(call)}`)
    expect([dimension, ofRows(daily.rows)]).toEqual([dimension, expected])
  }
})

test('groups equal the log, whether or not most users are in one, and also where an account is gone', async () => {
  const { app, calls, read, packDays } = await packedDaysFixture()
  await packDays()
  // The fourth user of the log has no account.
  const ids = [1, (await makeUser(app)).id, (await makeUser(app)).id]
  for (const groups of [
    ['a', 'a', 'b'],
    ['a', 'b', 'b'],
    ['a', 'a', 'a'],
    ['a', 'b', 'c'],
  ]) {
    const groupOf = ({ user_id }: Call) => groups[ids.indexOf(user_id)] ?? ''
    for (const [at, id] of ids.entries())
      await app.db
        .updateTable('users')
        .set({ group: groups[at] ?? '' })
        .where('id', '=', id)
        .execute()
    const whole = await read({ by: ['group'] })
    expect([groups, byGroup(whole.rows)]).toEqual([groups, ofLog(calls, groupOf)])
    for (const zone of ZONES) {
      const daily = await read({ by: ['time', 'group'], step: 'day', zone })
      const expected = ofLog(calls, (call) => `${dayIn(zone, call)} ${groupOf(call)}`)
      expect([zone, groups, byGroup(daily.rows)]).toEqual([zone, groups, expected])
    }
    for (const group of new Set(groups)) {
      const { rows } = await read({ by: ['time', 'model'], step: 'day', group })
      const members = calls.filter((call) => groupOf(call) === group)
      expect(ofRows(rows)).toEqual(ofLog(members, (call) => `${dayIn('UTC', call)} ${call.model_name}`))
    }
  }
})

test('what a node of an older version has counted is in the totals as soon as its days are packed', async () => {
  const { app, calls, read, packDays } = await packedDaysFixture()
  await upToDateFigures(app.db)
  // Such a node does not know of this table.
  await app.db.updateTable('total_usage').set({ request_count: 0, quota: 0 }).where('start', '<', END).execute()
  await packDays()
  for (const zone of ZONES) {
    const { rows, totals } = await read({ by: ['time'], step: 'day', zone })
    expect(ofRows(rows)).toEqual(ofLog(calls, (call) => String(stepOf(call.created_at, 'day', zone))))
    expect(totals.calls).toBe(calls.length)
  }
})

test('until four days are over, each is packed alone', async () => {
  const { app, calls, read, packed } = await packedDaysFixture()
  const first = START - (START % FOUR_DAYS)
  const packUntil = async (end: number) => {
    await createPackDays({ db: app.db, clock: { now: () => (end + 4 * HOUR) * 1000 } }).job.run()
    const spans = (await packed()).map(({ span }) => span)
    return [FOUR_DAYS, DAY].map((one) => spans.filter((span) => span === one).length)
  }
  const isReported = async () => {
    for (const dimension of EVERY) {
      const nameOf = NAME_OF[dimension] ?? String
      expect(ofRows((await read({ by: [dimension] })).rows)).toEqual(withoutTime(ofLog(calls, nameOf)))
      const daily = await read({ by: ['time', dimension], step: 'day', zone: 'Asia/Kolkata' })
      const expected = ofLog(calls, (call) => `${dayIn('Asia/Kolkata', call)} ${nameOf(call)}`)
      expect([dimension, ofRows(daily.rows)]).toEqual([dimension, expected])
    }
  }
  expect(await packUntil(first + 2 * FOUR_DAYS + 3 * DAY)).toEqual([2, 3])
  await isReported()
  // Both are there for a while.
  expect(await packUntil(first + 3 * FOUR_DAYS)).toEqual([3, 3])
  await isReported()
  expect(await packUntil(first + 4 * FOUR_DAYS + DAY)).toEqual([4, 1])
  await isReported()
})

test('days that are not over are not packed', async () => {
  const { app, packed } = await packedDaysFixture()
  const clock = { now: () => (START - (START % DAY) + DAY + HOUR) * 1000 }
  await createPackDays({ db: app.db, clock }).job.run()
  expect(await packed()).toEqual([])
})
