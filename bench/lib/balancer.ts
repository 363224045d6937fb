import { connect, createServer, type Socket } from 'node:net'

/** How a balancer detects that a node stops: by `/readyz`, by connecting, or only by a refused connection. */
export type Check = 'readyz' | 'port' | 'none'

const EVERY_MS = 500
/** Consecutive failures that take a node out. */
const FAILURES = 2

/**
 * A round-robin TCP balancer: data it has started to send cannot be sent again. A refused connection goes to the next node, unless
 * `/readyz` should make that unnecessary.
 */
export const startBalancer = async (ports: readonly number[], check: Check) => {
  const failures = new Map(ports.map((port) => [port, 0]))
  const open = new Set<Socket>()
  let turn = 0
  const usable = () => {
    const well = ports.filter((port) => (failures.get(port) ?? 0) < FAILURES)
    return well.length > 0 ? well : ports
  }
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => {})
    client.on('close', () => open.delete(client))
    const nodes = usable()
    const first = turn++
    const pass = (tried: number) => {
      const port = nodes[(first + tried) % nodes.length] ?? 0
      const node = connect(port, '127.0.0.1')
      let isOpen = false
      node.on('connect', () => {
        isOpen = true
        client.pipe(node)
        node.pipe(client)
      })
      node.on('error', () => {
        if (!isOpen && check !== 'readyz' && tried + 1 < nodes.length) return pass(tried + 1)
        client.destroy()
      })
      node.on('close', () => isOpen && client.end())
      client.on('close', () => node.destroy())
    }
    pass(0)
  })
  const asked = setInterval(() => {
    for (const port of check === 'none' ? [] : ports) {
      void (check === 'readyz' ? isReady(port) : isOpen(port)).then((well) => {
        failures.set(port, well ? 0 : (failures.get(port) ?? 0) + 1)
      })
    }
  }, EVERY_MS)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    stop() {
      clearInterval(asked)
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  )

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
