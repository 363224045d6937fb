import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { bodyRoom } from '../common/body-room.ts'
import { makeUser } from '../testing/makers.ts'
import { keyOf, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const ANNOUNCED = 32 * 1024 * 1024
const UNFINISHED = 4
const LARGE = [{ role: 'user', content: 'word '.repeat(20_000) }]

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data; boundary=b'

/** Every kind of path that reads a body with a key. */
const PATHS = [
  { path: '/v1/chat/completions', type: JSON_TYPE },
  { path: '/v1/messages', type: JSON_TYPE },
  { path: '/v1beta/models/m:generateContent', type: JSON_TYPE },
  { path: '/v1/images/edits', type: FORM_TYPE },
  { path: '/v1/files', type: FORM_TYPE },
  { path: '/v1/batches', type: JSON_TYPE },
  { path: '/v1/messages/batches', type: JSON_TYPE },
  { path: '/v1/videos', type: JSON_TYPE },
  { path: '/v1/videos', type: FORM_TYPE },
  { path: '/mj/submit/imagine', type: JSON_TYPE },
  { path: '/v1/oneapi/proxy/CHANNEL/some/path', type: JSON_TYPE },
]

/** Announces a large body, and sends the first byte of it. */
function announce(url: string, { path, type, key }: { path: string; type: string; key: string }) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${ANNOUNCED}\r\n\r\n{`,
  )
  return socket
}

async function until(isTrue: () => boolean) {
  while (!isTrue()) await Bun.sleep(5)
}

test.each(PATHS)(
  'bodies that never end take bounded memory of their user, and none of others: $path $type',
  async ({ path, type }) => {
    const { app, key, payer, channel, chat, upstream } = await relayFixture({ quota: 1e12 })
    await channel('m')
    const proxied = await channel('', { type: 43 })
    const other = await makeUser(app, { quota: 1e12 })
    const otherKey = await keyOf(other.client)
    const target = path.replace('CHANNEL', String(proxied.id))
    const sockets = Array.from({ length: UNFINISHED }, () => announce(app.url, { path: target, type, key }))
    await until(() => bodyRoom.taken(payer.id) === UNFINISHED * ANNOUNCED)

    const waiting = chat('m', { messages: LARGE })
    expect((await chat('m', { messages: LARGE }, { key: otherKey })).status).toBe(200)
    expect((await chat('m')).status).toBe(200)
    const asked = upstream.journal.length
    sockets[0]?.destroy()
    expect((await waiting).status).toBe(200)
    expect(upstream.journal.length).toBe(asked + 1)

    for (const socket of sockets) socket.destroy()
    await until(() => bodyRoom.taken(payer.id) === 0)
  },
)
