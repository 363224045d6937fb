import { onTestFinished } from 'bun:test'
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

interface ProxyOptions {
  /** The required `user:password`. */
  login?: string
  /** With it the proxy itself uses TLS. */
  certificate?: { key: string; cert: string }
  /** Sends this to every connection instead of working as a proxy, or nothing at all. */
  says?: string | Uint8Array | 'nothing'
  /** The local port to which all names lead. */
  leadsTo?: number
}

interface FakeProxy {
  url: string
  /** The requested destinations, as `host:port`. */
  asked: string[]
  /** Everything that clients sent, after the proxy's own TLS. */
  received(): string
}

const LOCAL = '127.0.0.1'

/** An HTTP proxy with CONNECT only. It ends with the test. */
export const fakeHttpProxy = (options: ProxyOptions = {}): Promise<FakeProxy> =>
  listening(options.certificate === undefined ? 'http' : 'https', options, (client, { asked, next }) =>
    next((bytes) => bytes.includes('\r\n\r\n')).then((bytes) => {
      const head = bytes.toString('latin1')
      const [, authority = ''] = /^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(head) ?? []
      asked.push(authority)
      const login = Buffer.from(options.login ?? '').toString('base64')
      if (options.login !== undefined && !head.includes(`proxy-authorization: Basic ${login}\r\n`)) {
        client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
        return
      }
      join(client, portOf(authority, options), () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    }),
  )

/** A SOCKS5 proxy with names, IPv4 and passwords. It ends with the test. */
export const fakeSocksProxy = (options: ProxyOptions = {}): Promise<FakeProxy> =>
  listening('socks5', options, async (client, { asked, next }) => {
    const greeting = await next((bytes) => bytes.length >= 2 && bytes.length >= 2 + (bytes[1] ?? 0))
    const offered = [...greeting.subarray(2)]
    const wanted = options.login === undefined ? 0 : 2
    if (!offered.includes(wanted)) return void client.end(Buffer.from([5, 0xff]))
    client.write(Buffer.from([5, wanted]))
    if (wanted === 2) {
      const [user = '', password = ''] = (options.login ?? '').split(':')
      const expected = Buffer.concat([
        Buffer.from([1, user.length]),
        Buffer.from(user),
        Buffer.from([password.length]),
        Buffer.from(password),
      ])
      const login = await next((bytes) => bytes.length >= 2 && bytes.length >= 3 + (bytes[1] ?? 0))
      const isRight = login.equals(expected)
      client.write(Buffer.from([1, isRight ? 0 : 1]))
      if (!isRight) return void client.end()
    }
    const request = await next((bytes) => bytes.length >= 7 + (bytes[3] === 3 ? (bytes[4] ?? 0) : 3))
    const name =
      request[3] === 3 ? request.subarray(5, 5 + (request[4] ?? 0)).toString() : [...request.subarray(4, 8)].join('.')
    const authority = `${name}:${request.readUInt16BE(request.length - 2)}`
    asked.push(authority)
    join(client, portOf(authority, options), () => client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])))
  })

interface Conversation {
  asked: string[]
  /** Everything since the last call, as soon as it is enough. */
  next(isEnough: (bytes: Buffer) => boolean): Promise<Buffer>
}

async function listening(
  scheme: string,
  options: ProxyOptions,
  serve: (client: Socket, talk: Conversation) => Promise<void>,
) {
  const asked: string[] = []
  const received: Buffer[] = []
  const clients = new Set<Socket>()
  const onClient = (client: Socket) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('data', (bytes: Buffer) => received.push(Buffer.from(bytes)))
    const { says } = options
    if (says === 'nothing') return
    if (says !== undefined) return void client.once('data', () => client.write(says))
    void serve(client, { asked, next: readerOf(client) })
  }
  const server: Server =
    options.certificate === undefined ? createServer(onClient) : createTlsServer(options.certificate, onClient)
  await new Promise<void>((resolve) => server.listen(0, LOCAL, resolve))
  onTestFinished(() => {
    for (const client of clients) client.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `${scheme}://${LOCAL}:${port}`, asked, received: () => Buffer.concat(received).toString('latin1') }
}

const readerOf = (client: Socket) => (isEnough: (bytes: Buffer) => boolean) => {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  let received = Buffer.alloc(0)
  const onData = (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
    if (!isEnough(received)) return
    client.off('data', onData)
    resolve(received)
  }
  client.on('data', onData)
  return promise
}

const portOf = (authority: string, { leadsTo }: ProxyOptions) => leadsTo ?? Number(authority.split(':').at(-1))

function join(client: Socket, port: number, ready: () => void) {
  const vendor = connectTo(port, LOCAL, () => {
    ready()
    client.on('data', (bytes: Buffer) => vendor.write(bytes))
  })
  vendor.on('data', (bytes: Buffer) => client.write(bytes))
  vendor.on('error', () => client.destroy())
  vendor.on('close', () => client.end())
  client.on('close', () => vendor.destroy())
}
