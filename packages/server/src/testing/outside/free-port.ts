import { createServer } from 'node:net'

/** A port on which nothing listens now. */
export async function freePort() {
  const listening = Promise.withResolvers<number>()
  const server = createServer()
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    server.close(() => listening.resolve(port))
  })
  return listening.promise
}
