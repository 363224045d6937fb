import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { engine } from '../../testing/database.ts'
import { startNode } from '../../testing/node-process.ts'
import { observedCall } from '../../testing/observed-load.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Processes are started, possibly on a busy machine.
setDefaultTimeout(60_000)

const WAYS: { way: string; hurt(location: string): void }[] = [
  { way: 'removed', hurt: (location) => rmSync(location) },
  {
    way: 'replaced by a copy',
    hurt(location) {
      copyFileSync(location, `${location}-copy`)
      renameSync(`${location}-copy`, location)
    },
  },
]

if (engine === 'sqlite') {
  test.each(WAYS)(
    'a database file that is $way under a running server: no call is accepted any more, and the log says why',
    async ({ hurt }) => {
      const world = await relayFixture({ quota: 1_000_000, options: { DefaultModelRatio: 1 } })
      await world.channel('say/20')
      const node = await startNode(world.app)
      const call = async () => (await observedCall(node.url, world.key, 'say/20', false)).status
      expect(await call()).toBe(200)
      const asked = world.upstream.journal.length
      hurt(world.app.location)
      expect([await call(), await call()]).toEqual([503, 503])
      expect(world.upstream.journal).toHaveLength(asked)
      expect((await fetch(`${node.url}/readyz`)).status).toBe(503)
      await node.logged('replaced or removed under the running server')
      await node.kill()
    },
  )

  test.each(WAYS)('a database file that is $way while nobody calls: /readyz says so', async ({ hurt }) => {
    const world = await relayFixture()
    const node = await startNode(world.app)
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
    hurt(world.app.location)
    const answer = await fetch(`${node.url}/readyz`)
    expect([answer.status, await answer.text()]).toEqual([503, 'the database file was replaced or removed'])
    await node.kill()
  })

  test('a file that is replaced by a copy under a server that is alone: no call is accepted soon, and those that were are charged by the next start', async () => {
    const world = await relayFixture({ quota: 1_000_000, options: { DefaultModelRatio: 1 } })
    const { app, upstream } = world
    await world.channel('say/20')
    await app.db.updateTable('owners').set({ closed_at: 1 }).execute()
    const node = await startNode(app)
    const call = async () => (await observedCall(node.url, world.key, 'say/20', false)).status
    expect(await call()).toBe(200)
    copyFileSync(app.location, `${app.location}-copy`)
    renameSync(`${app.location}-copy`, app.location)
    while ((await call()) === 200);
    expect((await fetch(`${node.url}/readyz`)).status).toBe(503)
    await node.kill()
    await startNode(app)
    const copy = new Database(app.location)
    const { charged } =
      copy.query<{ charged: number }, []>("SELECT count(*) AS charged FROM ledger WHERE kind = 'consume'").get() ?? {}
    expect(charged).toBe(upstream.journal.length)
    copy.close()
  })
}
