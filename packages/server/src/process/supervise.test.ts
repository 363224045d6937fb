import { expect, setDefaultTimeout, test } from 'bun:test'
import { runCommand } from '../testing/command.ts'
import { engine } from '../testing/database.ts'
import { type NodeProcess, startNode } from '../testing/node-process.ts'
import { observedCall } from '../testing/observed-load.ts'
import { freePort } from '../testing/outside/free-port.ts'
import { type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'

// Processes are started and killed, possibly on a busy machine.
setDefaultTimeout(180_000)

/** Waits for this many processes that serve calls, besides the test's own; returns their ids. */
async function workersOf({ app }: RelayFixture, wanted: (pids: number[]) => boolean) {
  const deadline = Date.now() + 60_000
  for (;;) {
    const owners = await app.db.selectFrom('owners').select('node').where('closed_at', 'is', null).execute()
    const pids = owners.map(({ node }) => Number(node.split(':').at(-1))).filter((pid) => pid !== process.pid)
    if (wanted(pids)) return pids
    if (Date.now() > deadline) throw new Error(`The workers are ${pids.join(', ')}`)
    await Bun.sleep(50)
  }
}

async function serving({ output }: NodeProcess, workers: number) {
  const deadline = Date.now() + 60_000
  while (output().split(' listens on ').length <= workers) {
    if (Date.now() > deadline) throw new Error(`They do not serve: ${output()}`)
    await Bun.sleep(20)
  }
}

test('several workers on the embedded database are refused at the start, with one message', async () => {
  expect(await runCommand(['start', '--workers', '2'], { PORT: '4000' })).toEqual({
    output: '',
    errors:
      'Tollgate cannot start: WORKERS above 1 needs PostgreSQL (DATABASE_URL): the embedded database has one writer\n',
    exitCode: 2,
  })
})

if (engine === 'postgres') {
  test('workers serve one port together; one that dies is replaced; a signal lets running calls finish and ends all with 0', async () => {
    const world = await relayFixture({ quota: 1_000_000_000, options: { DefaultModelRatio: 1 } })
    const { app, upstream, key } = world
    await world.channel('say/20,pace/30/60')
    const parent = await startNode(app, { WORKERS: '2', PORT: `${await freePort()}` })
    await serving(parent, 2)
    const before = await workersOf(world, (pids) => pids.length === 2)

    const [victim = 0, survivor = 0] = before
    process.kill(victim, 'SIGKILL')
    await serving(parent, 3)
    const after = await workersOf(world, (pids) => pids.filter((pid) => pid !== victim).length === 2)
    expect(after).toContain(survivor)
    expect(after).not.toContain(parent.child.pid)
    for (let call = 0; call < 20; call++) {
      expect(await observedCall(parent.url, key, 'say/20', false)).toMatchObject({ status: 200, ended: true })
    }

    const calls = Array.from({ length: 4 }, () => observedCall(parent.url, key, 'pace/30/60', true))
    await upstream.received(24)
    parent.child.kill('SIGTERM')
    for (const seen of await Promise.all(calls)) expect(seen).toMatchObject({ status: 200, ended: true })
    expect(await parent.exited()).toBe(0)
    await workersOf(world, (pids) => pids.every((pid) => pid === victim))
    expect(await app.audit()).toEqual([])
  })

  test('a signal to the whole group is one signal: every stream finishes, and the exit code is 0', async () => {
    const world = await relayFixture({ quota: 1_000_000_000, options: { DefaultModelRatio: 1 } })
    const { app, upstream, key } = world
    await world.channel('pace/40/60')
    const parent = await startNode(app, { WORKERS: '2', PORT: `${await freePort()}` }, { ownGroup: true })
    await serving(parent, 2)
    const calls = Array.from({ length: 40 }, () => observedCall(parent.url, key, 'pace/40/60', true))
    await upstream.received(40)
    process.kill(-parent.child.pid, 'SIGTERM')
    for (const seen of await Promise.all(calls)) expect(seen).toMatchObject({ status: 200, ended: true })
    expect(await parent.exited()).toBe(0)
    await workersOf(world, (pids) => pids.length === 0)
    expect(await app.audit()).toEqual([])
  })

  test.each([
    { to: 'the parent', pidOf: (pid: number) => pid },
    { to: 'the whole group', pidOf: (pid: number) => -pid },
  ])(
    'a signal to $to while workers are starting: none is taken for lost, and the exit code is 0',
    async ({ pidOf }) => {
      const world = await relayFixture()
      const workers = { WORKERS: '5', PORT: `${await freePort()}` }
      const parent = await startNode(world.app, workers, { ownGroup: true })
      // The row of a worker is written before its port opens.
      await workersOf(world, (pids) => pids.length > 1)
      process.kill(pidOf(parent.child.pid), 'SIGTERM')
      expect(await parent.exited()).toBe(0)
      expect(await workersOf(world, () => true)).toEqual([])
    },
  )

  test('workers whose parent is killed end themselves', async () => {
    const world = await relayFixture()
    const parent = await startNode(world.app, { WORKERS: '2', PORT: `${await freePort()}` })
    await workersOf(world, (pids) => pids.length === 2)
    await parent.kill()
    await workersOf(world, (pids) => pids.length === 0)
  })

  test('workers do not share a port that another process has', async () => {
    const world = await relayFixture()
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const started = startNode(world.app, { WORKERS: '2', PORT: String(other.port) })
    expect(await started.catch(String)).toContain(
      `Tollgate cannot start: Failed to start server. Is port ${other.port} in use?`,
    )
    await other.stop(true)
    expect(await workersOf(world, (pids) => pids.length === 0)).toEqual([])
  })
}
