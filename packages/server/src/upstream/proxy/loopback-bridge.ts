import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Fault } from '../fault.ts'

/**
 * A door on this machine that leads into a tunnel, for one connection: the runtime's WebSocket knows few kinds of proxies, and tells
 * nothing of why they fail. It is open until somebody has come, and who comes is not trusted with anything: what is secret is
 * sent by the one that we open ourselves, and a second one finds nobody.
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

/** Whoever reads slowly makes the other side wait, and with one end goes the other. */
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
