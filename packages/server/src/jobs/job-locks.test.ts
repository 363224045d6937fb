import { expect, test } from 'bun:test'
import { createLog } from '../common/log.ts'
import { locksOf } from '../ledger/stores/locks.ts'
import { testApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'
import type { Job } from './job.ts'
import { createJobLocks } from './job-locks.ts'
import { startJobs } from './scheduler.ts'

/** Two nodes on one database, and a job that takes as long as the test wants. */
async function twoNodes() {
  const { db, location, clock } = await testApp()
  const node = () => createJobLocks(db, locksOf(engine, location), clock)
  const ran: string[] = []
  const gate = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const job = (who: string, work: () => Promise<void> = async () => {}): Job => ({
    ...{ name: 'housekeeping', everySec: 3600 },
    async run() {
      ran.push(who)
      await work()
    },
  })
  const slow = async () => {
    started.resolve()
    await gate.promise
  }
  return { one: node(), two: node(), job, slow, ran, started: started.promise, open: gate.resolve, clock }
}

test('one node at a time runs a job, and the others not again before it is due', async () => {
  const { one, two, job, slow, ran, started, open, clock } = await twoNodes()
  const running = one(job('one', slow))
  await started
  await two(job('two'))
  // Even after the interval, a job that is still running stays alone.
  clock.pass(3600)
  await two(job('two'))
  expect(ran).toEqual(['one'])
  open()
  await running
  await two(job('two'))
  expect(ran).toEqual(['one', 'two'])
  await one(job('one'))
  clock.pass(3500)
  await one(job('one'))
  expect(ran).toEqual(['one', 'two', 'one'])
})

test('a job that fails releases its lock, and is retried when it is due', async () => {
  const { one, two, job, ran, clock } = await twoNodes()
  const failing = job('one', () => Promise.reject(new Error('no disk')))
  expect(await one(failing).catch(String)).toContain('no disk')
  await two(job('two'))
  expect(ran).toEqual(['one'])
  clock.pass(3600)
  await two(job('two'))
  expect(ran).toEqual(['one', 'two'])
})

test('an interrupted job is run again after 15 minutes, a completed one is not', async () => {
  const { one, two, job, ran, clock } = await twoNodes()
  const failing = job('one', () => Promise.reject(new Error('killed')))
  expect(await one(failing).catch(String)).toContain('killed')
  clock.pass(900)
  await two(job('two'))
  clock.pass(900)
  await one(job('one'))
  expect(ran).toEqual(['one', 'two'])
})

test('a node that is restarted often runs what is due, and runs it once', async () => {
  const { one, two, job, clock } = await twoNodes()
  await one(job('before'))
  clock.pass(7200)
  const done = Promise.withResolvers<void>()
  let runs = 0
  const due = job('after', async () => {
    runs++
    done.resolve()
  })
  const looks = Promise.withResolvers<void>()
  let looked = 0
  const counted: typeof two = async (each) => {
    await two(each)
    if (++looked === 5) looks.resolve()
  }
  // The process lives much shorter than the interval of the job.
  const stop = startJobs(
    [due],
    counted,
    createLog(() => {}),
    10,
  )
  await Promise.all([done.promise, looks.promise])
  stop()
  expect(runs).toBe(1)
})
