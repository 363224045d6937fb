import { expect, setDefaultTimeout, test } from 'bun:test'
import { DAY, HOUR } from '../common/time-units.ts'
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
  rolledUpFixture,
  START,
  STEPS,
  stepOf,
  withoutTime,
  ZONES,
} from '../testing/rolled-up-fixture.ts'
import { createRollUp } from './roll-up.ts'
import { FOUR_DAYS, SIXTEEN_DAYS } from './zone-time.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(120_000)

test('results from rolled-up days equal the sums of the log, by every dimension, in every zone', async () => {
  const { calls, read, rollUp, rolledUp } = await rolledUpFixture()
  await rollUp()
  const spans = (await rolledUp()).map(({ span }) => span)
  expect([spans.filter((span) => span === FOUR_DAYS).length, spans.includes(SIXTEEN_DAYS)]).toEqual([16, true])
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

test('a call that is written late is counted at once, and its days are rolled up again', async () => {
  const { app, calls, read, rollUp, rolledUp } = await rolledUpFixture()
  await rollUp()
  const before = await rolledUp()
  const late = { ...callAt(START + 20 * DAY, () => 1), quota: 7000 }
  await makeLogs(app, late)
  expect(await rolledUp()).toHaveLength(before.length - 2)
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
  await rollUp()
  // A second run changes nothing.
  await rollUp()
  expect(await rolledUp()).toEqual(before)
  await isReported()
})

test('the steps of one model or one channel equal the log, in every zone', async () => {
  const { calls, read, rollUp } = await rolledUpFixture()
  await rollUp()
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

test('days that a node of an older version has rolled up are read by the hour until they are packed', async () => {
  const { app, calls, read, rollUp } = await rolledUpFixture()
  await rollUp()
  // Such a node makes the sums again, and knows neither the table nor the columns.
  await app.db.updateTable('total_usage').set({ hours_packed: 0, keys_packed: 0 }).execute()
  await app.db.deleteFrom('figure_days').execute()
  const isReported = async () => {
    const { rows } = await read({ by: ['time', 'model'], step: 'day', zone: 'America/New_York' })
    const expected = ofLog(calls, (call) => `${dayIn('America/New_York', call)} ${call.model_name}`)
    expect(ofRows(rows)).toEqual(expected)
  }
  await isReported()
  await rollUp()
  expect(await app.db.selectFrom('figure_days').select('hours').execute()).not.toBeEmpty()
  await isReported()
})

test('the first names of each dimension and the sum of all others equal the log, also where two users had a name', async () => {
  const { app, random, calls, read, rollUp } = await rolledUpFixture()
  const renamed = Array.from({ length: 40 }, () => ({ ...callAt(START + random(60 * DAY), random), user_id: 9 }))
  await makeLogs(app, ...renamed)
  await rollUp()
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
  const { app, calls, read, rollUp } = await rolledUpFixture()
  await rollUp()
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

test('what a node of an older version has counted is in the totals as soon as its days are rolled up', async () => {
  const { app, calls, read, rollUp } = await rolledUpFixture()
  await upToDateFigures(app.db)
  // Such a node does not know of this table.
  await app.db.updateTable('total_usage').set({ request_count: 0, quota: 0 }).where('start', '<', END).execute()
  await rollUp()
  for (const zone of ZONES) {
    const { rows, totals } = await read({ by: ['time'], step: 'day', zone })
    expect(ofRows(rows)).toEqual(ofLog(calls, (call) => String(stepOf(call.created_at, 'day', zone))))
    expect(totals.calls).toBe(calls.length)
  }
})

test('days that are not over are not rolled up', async () => {
  const { app, rolledUp } = await rolledUpFixture()
  const clock = { now: () => (START - (START % FOUR_DAYS) + FOUR_DAYS + HOUR) * 1000 }
  await createRollUp({ db: app.db, clock }).job.run()
  expect(await rolledUp()).toEqual([])
})
