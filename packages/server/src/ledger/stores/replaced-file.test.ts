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
}
