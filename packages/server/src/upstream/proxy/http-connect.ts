import type { Socket } from 'node:net'
import { ProxyFault } from '../fault.ts'
import type { Login, Target } from './checked-proxy.ts'
import { HandshakeReader } from './handshake.ts'

const HEAD_MAX = 8 * 1024

/** Requests a tunnel from an HTTP proxy (RFC 9110, CONNECT). */
export async function askHttpProxy(socket: Socket, { host, port }: Target, { user, password }: Login) {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const login = Buffer.from(`${user}:${password}`).toString('base64')
  const authorization = user === '' && password === '' ? '' : `proxy-authorization: Basic ${login}\r\n`
  const reader = new HandshakeReader(socket)
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n`)
  const head = await reader.until('\r\n\r\n', HEAD_MAX)
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?:[ \r]|$)/.exec(head ?? '')?.[1] ?? 0)
  if (status === 0) throw new ProxyFault('its answer is not HTTP')
  if (status === 407) throw new ProxyFault('it wants another user or password')
  if (status < 200 || status > 299) throw new ProxyFault(`it refused the connection with status ${status}`)
  reader.release()
}
