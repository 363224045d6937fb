import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { DAY, HOUR } from '../common/time-units.ts'
import { testApp } from '../testing/app.ts'
import { createFaults } from '../testing/failing-database.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot, makeUser } from '../testing/makers.ts'
import { seeded } from '../testing/seeded.ts'
import { bucketOf, emptyHistogram, type Measure, pack, percentile, unpack } from './histogram.ts'
import { latencyRepository } from './latency-repository.ts'
import { latencyRows, type TimedCall } from './latency-sums.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const exact = (values: number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.max(1, Math.ceil(values.length * share)) - 1] ?? 0

test('a percentile is within a tenth of the exact one, whatever the values', () => {
  const value = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 36_000_000 }))
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 300 }), fc.constantFrom(0.5, 0.95), (values, share) => {
      for (const measure of ['first_byte', 'elapsed', 'speed'] satisfies Measure[]) {
        const histogram = emptyHistogram()
        for (const each of values) {
          const bucket = bucketOf(measure, each)
          histogram[bucket] = (histogram[bucket] ?? 0) + 1
        }
        const [told, right] = [percentile(histogram, measure, share) ?? 0, exact(values, share)]
        if (measure === 'speed' && right > 1_000_000) continue
        expect(Math.abs(told - right) / right).toBeLessThanOrEqual(0.1)
      }
    }),
  )
  expect(percentile(emptyHistogram(), 'elapsed', 0.5)).toBeNull()
})

test('counts are unchanged by packing', () => {
  const counts = fc.array(fc.tuple(fc.nat({ max: 7200 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })))
  fc.assert(
    fc.property(counts, (pairs) => {
      const given = new Map(pairs)
      const read = new Map<number, number>()
      unpack(pack(given), (place, count) => read.set(place, count))
      expect([...read].sort()).toEqual([...given].sort())
    }),
  )
})

test('latencies are available by time, model, channel and user, and add up over days, hours and writes', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const random = seeded(11)
  const start = Date.parse('2027-03-01T00:00:00Z') / 1000
  const calls = Array.from({ length: 600 }, (_, number): TimedCall => {
    const first_byte_time = 50 + random(20) * random(100)
    return {
      ...{ created_at: start + random(3 * DAY), user_id: 1 + random(2), model_name: `m${random(3)}` },
      ...{ channel: 1 + random(2), outcome: number % 10 === 0 ? 'canceled' : 'success', first_byte_time },
      ...{
        elapsed_time: first_byte_time + 1 + random(9000),
        completion_tokens: 1 + random(500),
        is_stream: number % 2,
      },
    }
  })
  await makeLogs(app, { created_at: start }, { created_at: start, model_name: 'm1', channel: 2 })
  for (const call of calls.slice(0, 300)) app.parts.tally.note(call)
  await app.parts.tally.flush()
  for (const call of calls.slice(300)) app.parts.tally.note(call)

  const near = (told: number | null, values: number[], share: number) => {
    const right = exact(values, share)
    expect(told === null ? null : Math.abs(told - right) / right).toBeLessThanOrEqual(0.1)
  }
  const same = (row: Record<string, number | null>, of: (call: TimedCall) => boolean) => {
    const those = calls.filter((call) => call.outcome === 'success' && of(call))
    near(
      row.first_byte_p50 ?? null,
      those.map((call) => call.first_byte_time),
      0.5,
    )
    near(
      row.first_byte_p95 ?? null,
      those.map((call) => call.first_byte_time),
      0.95,
    )
    near(
      row.elapsed_p95 ?? null,
      those.map((call) => call.elapsed_time),
      0.95,
    )
    const streams = those.filter(({ is_stream }) => is_stream === 1)
    const speeds = streams.map((call) => (call.completion_tokens * 1000) / (call.elapsed_time - call.first_byte_time))
    near(row.speed_p50 ?? null, speeds, 0.5)
  }
  const ask = async (query: string) => (await root.get(`/api/analytics/?${query}`)).data
  const range = `start=${start}&end=${start + 3 * DAY}`
  same((await ask(range)).totals, () => true)
  same((await ask(`${range}&model=m1`)).totals, (call) => call.model_name === 'm1')
  same((await ask(`${range}&model=m1&channel=2`)).totals, (call) => call.model_name === 'm1' && call.channel === 2)
  const both = (await ask(`${range}&by=model,channel`)).rows.find(({ model }: { model: string }) => model === 'm1')
  same(both, (call) => call.model_name === 'm1' && call.channel === 2)
  const turned = (await ask(`${range}&by=channel,model`)).rows.find(({ model }: { model: string }) => model === 'm1')
  expect(turned).toEqual(both)
  // Partial days and days of other zones are added up by the hour.
  const [from, until] = [start + 5 * HOUR, start + 30 * HOUR]
  same((await ask(`start=${from}&end=${until}&zone=Asia/Shanghai&by=time&step=day`)).totals, (call) => {
    return call.created_at >= from && call.created_at < until
  })
  same((await ask(`${range}&user=root`)).totals, (call) => call.user_id === 1)
  expect((await ask(`${range}&key=none`)).totals).toMatchObject({ first_byte_p50: null, speed_p50: null })
})

test('relayed calls are timed, and users read their own times', async () => {
  const app = await testApp()
  const { client, id } = await makeUser(app)
  const at = Math.floor(app.clock.now() / 1000)
  const call = {
    created_at: at,
    model_name: 'm',
    channel: 1,
    outcome: 'success',
    completion_tokens: 1,
    is_stream: 0,
  } as const
  app.parts.tally.note({ ...call, user_id: id, first_byte_time: 100, elapsed_time: 200 })
  app.parts.tally.note({ ...call, user_id: 1, first_byte_time: 9000, elapsed_time: 20_000 })
  const { data } = await client.get(`/api/analytics/self?start=${at - HOUR}&end=${at + HOUR}`)
  expect(data.totals.elapsed_p95).toBeWithin(180, 220)
})

test('latencies that the database takes only in part are written once, whichever statement fails', async () => {
  const faults = createFaults()
  const app = await testApp({ faults })
  const root = await asRoot(app)
  const at = Math.floor(app.clock.now() / 1000)
  const call = {
    created_at: at,
    channel: 1,
    user_id: 1,
    outcome: 'success',
    completion_tokens: 1,
    is_stream: 0,
  } as const
  // More rows than one transaction takes.
  const calls = Array.from({ length: 150 }, (_, number): TimedCall => {
    return { ...call, model_name: `m${number}`, first_byte_time: 10, elapsed_time: 100 }
  })
  const repository = latencyRepository(app.db)
  for (let statement = 1; statement <= 4; statement++) {
    const rows = latencyRows(calls)
    faults.failAt(statement)
    await expect(repository.add(rows)).rejects.toThrow('away')
    await repository.add(rows)
    expect(rows).toEqual([])
  }
  const stored = await app.db.selectFrom('latency_days').selectAll().where('dimension', '=', 'all').execute()
  const counts: number[] = []
  for (const { hours } of stored) unpack(hours, (_, count) => counts.push(count))
  expect(counts).toEqual([600, 600])
  const { data } = await root.get(`/api/analytics/?start=${at - HOUR}&end=${at + HOUR}`)
  expect(data.totals.elapsed_p95).toBeWithin(90, 110)
})
