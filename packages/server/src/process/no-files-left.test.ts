import { expect, onTestFinished, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { startNode } from '../testing/node-process.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

const FILES = 256
/** On SQLite a thread for checkpoints is started after 64 batches of the ledger, each of at least one call. */
const CALLS = 100

/** Connections that ask nothing, until the process has no file descriptor left. */
async function exhaustFiles({ url, child }: { url: string; child: { pid: number } }) {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  const isExhausted = async () => (await openFilesOf(child.pid)) >= FILES
  while (!(await isExhausted())) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    sockets.push(socket)
    await new Promise((resolve) => socket.once('connect', resolve))
  }
  return () => Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve).destroy())))
}

const openFilesOf = async (pid: number) =>
  (await Array.fromAsync(new Bun.Glob('*').scan({ cwd: `/proc/${pid}/fd`, onlyFiles: false }))).length

test('idle connections that take every file descriptor do not end the process, and calls are answered when they have gone', async () => {
  const world = await relayFixture()
  await world.channel('say/5')
  const node = await startNode(world.app, {}, { files: FILES })
  const call = async () => (await world.chat('say/5', {}, { url: node.url })).status

  // These connections are kept, to the node and to the vendor.
  expect(await Promise.all(Array.from({ length: 3 }, call))).toEqual([200, 200, 200])
  const free = await exhaustFiles(node)
  const statuses: number[] = []
  while (statuses.length < CALLS) statuses.push(await call())
  // Those that get no descriptor are refused by the gateway itself, and not as a fault of the vendor.
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(node.child.exitCode).toBeNull()

  await free()
  while ((await call()) !== 200) await Bun.sleep(50)
  await world.atRest()
  expect(await world.app.audit()).toEqual([])
}, 60_000)
