import { expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { startNode } from '../testing/node-process.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

// A process is started, possibly on a busy machine.
setDefaultTimeout(120_000)

/** More than the runtime's own HTTP client opens at once; with it, the others would wait. */
const STREAMS = 300

test('hundreds of streams are open at the same time', async () => {
  const world = await relayFixture({ quota: 1_000_000_000, options: { DefaultModelRatio: 1 } })
  await world.channel('pace/500/1000')
  const node = await startNode(world.app)
  const { hostname, port } = new URL(node.url)
  const body = JSON.stringify({ model: 'pace/500/1000', stream: true, messages: [{ role: 'user', content: 'Hello' }] })
  // By hand: the test's own client has the same limit.
  const sockets = Array.from({ length: STREAMS }, () => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${world.key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    socket.resume()
    return socket
  })
  await world.upstream.received(STREAMS)
  expect(world.upstream.journal.filter(({ finished }) => finished)).toEqual([])
  for (const socket of sockets) socket.destroy()
})

test('with few files left new calls are refused before they begin, running ones continue, and later ones are accepted again', async () => {
  const world = await relayFixture({ quota: 1_000_000_000, options: { DefaultModelRatio: 1 } })
  await world.channel('pace/500/1000')
  await world.channel('echo')
  // From its start on: a limit lowered later is noticed only at the next check.
  const node = await startNode(world.app, {}, { files: FILES })
  const { hostname, port } = new URL(node.url)
  const headers = { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' }
  const ask = () =>
    fetch(`${node.url}/v1/chat/completions`, {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hello' }] }),
    })
  expect((await ask()).status).toBe(200)

  const body = JSON.stringify({ model: 'pace/500/1000', stream: true, messages: [{ role: 'user', content: 'Hello' }] })
  const begin = async () => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${world.key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    const status = await new Promise<string>((resolve, reject) => {
      socket.once('data', (bytes) => resolve(bytes.toString().slice(9, 12)))
      socket.once('error', reject)
    })
    return { socket, status }
  }
  const calls = [await begin()]
  while (calls.at(-1)?.status === '200' && calls.length < FILES / 2) calls.push(await begin())
  expect(calls.at(-1)?.status).toBe('503')
  expect(calls.length).toBeGreaterThan(10)
  expect(calls.filter(({ socket }) => socket.destroyed)).toEqual([])
  for (const { socket } of calls) socket.destroy()
  while ((await ask()).status !== 200) await new Promise((resolve) => setImmediate(resolve))
})

/** This many files and sockets, where each call needs two. */
const FILES = 260
