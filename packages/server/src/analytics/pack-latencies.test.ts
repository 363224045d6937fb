import { expect, setDefaultTimeout, test } from 'bun:test'
import type { AnalyticsQuery, Dimension } from '@tollgate/contract'
import { DAY, HOUR } from '../common/time-units.ts'
import { END, packedDaysFixture, START, STEPS, ZONES } from '../testing/packed-days-fixture.ts'
import { latencyPacksRepository } from './latency-packs-repository.ts'
import { latencyRepository } from './latency-repository.ts'
import { latencyRows, type TimedCall } from './latency-sums.ts'
import { packLatencyDays } from './pack-latencies.ts'
import { FOUR_DAYS } from './zone-time.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(120_000)

async function timedDays() {
  const made = await packedDaysFixture()
  const { app, random, calls } = made
  const note = async (
    some: readonly { created_at: number; user_id: number; model_name: string; channel: number }[],
  ) => {
    for (const { created_at, user_id, model_name, channel } of some)
      app.parts.tally.note({
        ...{ created_at, user_id, model_name, channel, outcome: 'success', is_stream: 1 },
        ...{
          first_byte_time: 1 + random(900),
          elapsed_time: 1000 + random(90_000),
          completion_tokens: 1 + random(500),
        },
      } satisfies TimedCall)
    await app.parts.tally.flush()
  }
  await note(calls)
  const valid = () => latencyPacksRepository(app.db).valid({ from: START - FOUR_DAYS, until: END })
  return { ...made, note, valid }
}

const PARTS: readonly Dimension[] = ['model', 'channel']
const PARTIAL = { start: START + 9 * DAY + 5 * HOUR, end: END - 6 * DAY - 3 * HOUR }

/** Every kind of question that has latencies. */
function* questions(): Generator<Partial<AnalyticsQuery>> {
  for (const range of [{}, PARTIAL]) {
    yield { ...range, by: ['model', 'channel'] }
    yield { ...range, model: 'model-1', by: ['channel'] }
    yield { ...range, model: 'model-1', channel: 2, by: [] }
  }
  for (const zone of ZONES)
    for (const step of STEPS) {
      yield { ...PARTIAL, zone, step, by: ['time'], channel: 2 }
      for (const part of PARTS) yield { ...PARTIAL, zone, step, by: ['time', part] }
    }
  yield { ...PARTIAL, step: 'day', by: ['time', 'channel'], model: 'model-1' }
  yield { ...PARTIAL, step: 'day', by: ['time', 'user'] }
  yield { ...PARTIAL, start: PARTIAL.end - 20 * DAY, step: 'hour', by: ['time', 'model'] }
}

test('packed latencies are those of the rows, in every zone and step, of whole days and parts of them', async () => {
  const { app, read, packDays, valid } = await timedDays()
  const ofRows = new Map<string, unknown>()
  for (const question of questions()) ofRows.set(JSON.stringify(question), await read(question))
  expect(await valid()).toEqual([])
  await packDays()
  expect(await valid()).toHaveLength(16)
  // The packs alone answer, except for users.
  await app.db.deleteFrom('latency_days').where('dimension', 'in', ['model', 'channel']).execute()
  for (const question of questions()) {
    const name = JSON.stringify(question)
    expect<unknown>([name, await read(question)]).toEqual([name, ofRows.get(name)])
  }
})

test('a call that is timed late counts at once, and its days are packed again', async () => {
  const { calls, note, read, packDays, valid } = await timedDays()
  await packDays()
  const before = await valid()
  const question = { by: ['time', 'model'], step: 'day', zone: 'Asia/Shanghai' } as const
  const first = await read({ ...question, by: [...question.by] })
  await note(calls.filter(({ created_at }) => created_at > START + 20 * DAY && created_at < START + 22 * DAY))
  const changed = await read({ ...question, by: [...question.by] })
  expect(changed).not.toEqual(first)
  expect((await valid()).length).toBeLessThan(before.length)
  await packDays()
  const after = await valid()
  expect(after).toHaveLength(before.length)
  expect(await read({ ...question, by: [...question.by] })).toEqual(changed)
  // A second run changes nothing.
  await packDays()
  expect(await valid()).toEqual(after)
})

test('packs that were made between two writes of the same calls are not read', async () => {
  const { app, calls, valid } = await timedDays()
  const start = START - (START % FOUR_DAYS) + FOUR_DAYS
  const some = calls.filter(({ created_at }) => created_at >= start && created_at < start + FOUR_DAYS)
  const rowsOfSome = () =>
    latencyRows(
      some.map(({ created_at, user_id, model_name, channel }) => ({
        ...{ created_at, user_id, model_name, channel, outcome: 'success', is_stream: 0 },
        ...{ first_byte_time: 100, elapsed_time: 200, completion_tokens: 1 },
      })),
    )
  const isValid = async () => (await valid()).some((days) => days.start === start)
  const { length } = rowsOfSome()
  for (let written = 0; written <= length; written++) {
    const rows = rowsOfSome()
    await latencyRepository(app.db).add(rows.slice(0, written))
    await packLatencyDays(app.db, { span: FOUR_DAYS, start })
    await latencyRepository(app.db).add(rows.slice(written))
    expect([written, await isValid()]).toEqual([written, written === length])
  }
})
