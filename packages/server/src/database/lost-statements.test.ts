import { expect, setDefaultTimeout, test } from 'bun:test'
import { createJobLocks } from '../jobs/job-locks.ts'
import { locksOf } from '../ledger/stores/locks.ts'
import { engine } from '../testing/database.ts'
import { createFaults } from '../testing/failing-database.ts'
import { readStream, relayFixture } from '../testing/relay-fixture.ts'

setDefaultTimeout(300_000)

/*
 * The database fails for one statement of a call or a job, and for each of them in turn. Whatever happens to that call, afterwards
 * everything works as before: nothing stays locked, held, running or cached.
 */

/** An expensive channel that cooled down and may be probed with one call, behind a cheap one that fails. */
async function fixture() {
  const faults = createFaults()
  const relay = await relayFixture({
    faults,
    quota: 1_000_000_000,
    options: { RetryTimes: 1, GroupRatio: '{"default":1}', ModelRatio: '{"say/1":1,"then/rate/say/5":50}' },
  })
  await relay.channel('m', { priority: 5, model_mapping: '{"m":"then/rate/say/5"}' })
  expect((await relay.chat('m')).status).toBe(429)
  await relay.channel('m', { priority: 9, model_mapping: '{"m":"fault/server"}' })
  relay.app.clock.pass(30)
  return { ...relay, faults }
}

async function expectOrder({ app, chat, atRest }: Awaited<ReturnType<typeof fixture>>) {
  await atRest()
  app.clock.pass(30)
  const { status } = await chat('m')
  expect(status).toBe(200)
  await atRest()
  expect(await app.audit()).toEqual([])
}

test.each([
  { way: 'plain', stream: false },
  { way: 'stream', stream: true },
])('a call may lose any one of its statements, and the next call finds every channel ($way)', async ({ stream }) => {
  const call = async (statement: number) => {
    const world = await fixture()
    world.faults.failAt(statement)
    const response = await world.chat('m', { stream })
    const told = stream && response.status === 200 ? await readStream(response) : await response.text()
    const statements = world.faults.count()
    world.faults.failAt(0)
    await expectOrder(world)
    return { status: response.status, told, statements }
  }
  const whole = await call(0)
  expect(whole.status).toBe(200)
  expect(whole.statements).toBeGreaterThan(5)
  for (let statement = 1; statement <= whole.statements; statement++) {
    const { status } = await call(statement)
    expect([statement, [200, 503].includes(status)]).toEqual([statement, true])
  }
})

test('testing all channels may lose any one of its statements, and can be started again', async () => {
  const world = await fixture()
  const { root, faults, app } = world
  const run = async () => {
    const started = await root.get('/api/channel/test?scope=all')
    for (;;) {
      const { success, data } = await root.get('/api/channel/test_progress')
      if (success && !data.running) return { started: started.success, ...data }
    }
  }
  faults.failAt(0)
  expect(await run()).toMatchObject({ started: true, total: 2, done: 2 })
  const statements = faults.count()
  for (let statement = 1; statement <= statements; statement++) {
    faults.failAt(statement)
    await run()
    faults.failAt(0)
    expect([statement, await run()]).toMatchObject([statement, { started: true, running: false, total: 2, done: 2 }])
  }
  await expectOrder(world)
  expect(await app.audit()).toEqual([])
})

test('a job may lose any one of its statements, and runs again when it is due', async () => {
  const { app, faults } = await fixture()
  const runIfDue = createJobLocks(app.db, locksOf(engine, app.location), app.clock)
  for (const job of app.parts.jobs.filter(({ name }) => name !== 'audit')) {
    const turn = async () => {
      app.clock.pass(job.everySec)
      return runIfDue(job).then(
        () => true,
        () => false,
      )
    }
    faults.failAt(0)
    expect([job.name, await turn()]).toEqual([job.name, true])
    const statements = faults.count()
    for (let statement = 1; statement <= statements; statement++) {
      faults.failAt(statement)
      await turn()
      faults.failAt(0)
      expect([job.name, statement, await turn()]).toEqual([job.name, statement, true])
    }
  }
})
