import { onTestFinished } from 'bun:test'
import { connect as connectTo, createServer, type Socket } from 'node:net'

/**
 * Sits between the product and a server, and can stop forwarding: connections stay open, new ones are accepted, and nothing comes back,
 * as behind a firewall that has dropped its state.
 */
export const stallingProxy = async (target: string, defaultPort: number) => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let stalled = false
  const server = createServer((client) => {
    const upstream = connectTo(Number(port) || defaultPort, hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (stalled) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = new URL(target)
  const address = server.address()
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    /** How many clients are connected. */
    connections: () => sockets.size / 2,
    stall() {
      stalled = true
      for (const socket of sockets) socket.pause()
    },
    /** Queued data continues in its order. */
    goOn() {
      stalled = false
      for (const socket of sockets) socket.resume()
    },
  }
}
