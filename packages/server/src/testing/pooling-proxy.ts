import { onTestFinished } from 'bun:test'
import { connect as connectTo, createServer, type Socket } from 'node:net'

/** The server is ready, and no transaction is open. */
const READY = Buffer.from('Z\0\0\0\x05I')

/** A pooler with a single session of PostgreSQL, which it lends to its clients for one transaction each. */
export const poolingProxy = async (target: string) => {
  const { hostname, port } = new URL(target)
  const upstream = connectTo(Number(port) || 5432, hostname)
  const clients = new Set<Socket>()
  const waiting: { client: Socket; sent: Buffer }[] = []
  let borrower: Socket | undefined
  let greeting: Buffer | undefined

  const lend = () => {
    const next = waiting.shift()
    borrower = next?.client
    if (next !== undefined) upstream.write(next.sent)
  }
  upstream.on('data', (chunk: Buffer) => {
    // The first answer ends the handshake; later clients get a copy of it.
    greeting ??= Buffer.from(chunk)
    borrower?.write(chunk)
    if (chunk.subarray(-READY.length).equals(READY)) lend()
  })
  const server = createServer((client) => {
    let isKnown = false
    clients.add(client)
    client.on('error', () => {})
    client.on('data', (sent: Buffer) => {
      const isHandshake = !isKnown
      isKnown = true
      if (isHandshake && greeting !== undefined) return void client.write(greeting)
      if (borrower === client) return void upstream.write(sent)
      waiting.push({ client, sent })
      if (borrower === undefined) lend()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of [...clients, upstream]) socket.destroy()
    server.close()
  })
  const url = new URL(target)
  const address = server.address()
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')
  return url.href
}
