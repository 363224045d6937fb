import { expect, setDefaultTimeout, test } from 'bun:test'
import { ACCEPTED_WORK } from '../testing/accepted-work.ts'
import { startNode } from '../testing/node-process.ts'

// A process is started and killed, possibly on a busy machine.
setDefaultTimeout(120_000)

/** Whether the vendor's list identifies it. A file without its row is known to nobody; it costs nothing, and vendors delete it after a month. */
const KINDS = {
  'a batch': true,
  'a video': true,
  'a message batch': false,
  'a background response': false,
  'a Midjourney task': false,
}

test.each(Object.entries(KINDS))(
  'after a kill -9 between the vendor’s acceptance of %s and its note, it is found at the vendor or given up for nothing',
  async (kind, isFound) => {
    const { world, create, accepted } = (await ACCEPTED_WORK[kind]?.()) ?? expect.unreachable()
    const { app, follow, account, logs } = world
    const before = await account()
    const already = accepted()
    const node = await startNode(app, { TOLLGATE_CRASH_AT: 'accepted' })
    await expect(create(node.url)).rejects.toThrow()
    await node.exited()
    expect(accepted()).toBe(already + 1)
    expect((await account()).held).toBeGreaterThan(0)
    app.clock.pass(900)
    await follow()
    const [row] = await app.db.selectFrom('batches').select(['upstream_id', 'settled_at']).execute()
    expect([row?.upstream_id !== '', row?.settled_at === null]).toEqual([isFound, isFound])
    expect((await account()).held > 0).toBe(isFound)
    if (!isFound) {
      expect(await account()).toEqual(before)
      expect(await logs()).toMatchObject([
        { type: 6, quota: 0, outcome: 'upstream_error', content_en: 'The call failed: The vendor never confirmed it' },
      ])
    }
    expect(await app.audit()).toEqual([])
  },
)
