import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Fault } from '../fault.ts'

/**
 * A local port that leads into a tunnel, for one connection: the runtime's WebSocket supports few kinds of proxies, and does not report
 * why they fail. It accepts a single connection and trusts it with nothing: secrets are sent by our own client, and a second connection
 * is refused.
 */
export const openBridge = async (tunnel: Socket) => {
  const server = createServer((near) => {
    server.close()
    join(near, tunnel)
  })
  server.maxConnections = 1
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Fault('no port')
  return {
    port: address.port,
    close() {
      server.close()
      tunnel.destroy()
    },
  }
}

/** With back pressure; when one end closes, so does the other. */
function join(one: Socket, other: Socket) {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }
}
