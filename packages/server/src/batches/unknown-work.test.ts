import { expect, setDefaultTimeout, test } from 'bun:test'
import { ACCEPTED_WORK } from '../testing/accepted-work.ts'

// A world with its own vendor for each kind, possibly on a busy machine.
setDefaultTimeout(60_000)

const HOUR = 3600

/** After how long the vendor's word is believed. */
const KINDS = {
  'a batch': 24 * HOUR,
  'a message batch': 24 * HOUR,
  'a background response': HOUR,
  'a video': HOUR,
} as const

const accepted = async (kind: string) => {
  const { world, create, forget } = (await ACCEPTED_WORK[kind]?.()) ?? expect.unreachable()
  const before = await world.account()
  expect((await create()).status).toBe(200)
  expect((await world.account()).held).toBeGreaterThan(0)
  return { ...world, before, forget }
}

test.each(Object.entries(KINDS))('a vendor that no longer knows %s ends it, for nothing', async (kind, afterSec) => {
  const { app, follow, account, logs, openHolds, before, forget } = await accepted(kind)
  forget()
  for (let poll = 0; poll < 10; poll++) await follow()
  app.clock.pass(afterSec - 10)
  await follow()
  expect((await account()).held).toBeGreaterThan(0)
  app.clock.pass(20)
  await follow()
  expect(await account()).toEqual(before)
  expect(await openHolds()).toEqual([])
  expect(await logs()).toMatchObject([
    { type: 6, quota: 0, outcome: 'upstream_error', content_en: 'The call failed: The vendor no longer knows it' },
  ])
  expect(await app.audit()).toEqual([])
})

test.each(Object.entries(KINDS))(
  'a vendor that knows %s again after a while keeps its hold',
  async (kind, afterSec) => {
    const { app, follow, account, before, forget } = await accepted(kind)
    for (let round = 0; round < 3; round++) {
      const remember = forget()
      for (let poll = 0; poll < 5; poll++) await follow()
      app.clock.pass(afterSec / 2)
      await follow()
      remember()
      await follow()
    }
    // A few answers are not enough, however far apart they are.
    forget()
    for (let poll = 0; poll < 4; poll++) {
      app.clock.pass(afterSec)
      await follow()
    }
    expect((await account()).held).toBeGreaterThan(0)
    expect((await account()).quota).toBe(before.quota)
    expect(await app.audit()).toEqual([])
  },
)
