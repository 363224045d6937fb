import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ProxyFault } from '../fault.ts'
import type { Login, Target } from './checked-proxy.ts'
import { HandshakeReader } from './handshake.ts'

const VERSION = 5
const NO_LOGIN = 0
const PASSWORD_LOGIN = 2
const CONNECT = 1
const IPV4 = 1
const NAME = 3
const IPV6 = 4
/** Lengths are encoded in one byte. */
const LENGTH_MAX = 255

/** Reply codes. */
const REFUSALS: Record<number, string> = {
  2: 'its rules do not allow the connection',
  3: 'it cannot reach the network of the provider',
  4: 'it cannot reach the provider',
  5: 'the provider refused its connection',
}

/** Requests a connection from a SOCKS5 proxy (RFC 1928), with user and password (RFC 1929) if required. */
export async function askSocksProxy(socket: Socket, { host, port }: Target, login: Login) {
  const reader = new HandshakeReader(socket)
  const hasLogin = login.user !== '' || login.password !== ''
  const methods = hasLogin ? [NO_LOGIN, PASSWORD_LOGIN] : [NO_LOGIN]
  socket.write(Buffer.from([VERSION, methods.length, ...methods]))
  const [version, method] = await reader.take(2)
  if (version !== VERSION) throw new ProxyFault('its answer is not SOCKS5')
  if (method === PASSWORD_LOGIN && hasLogin) await logIn(socket, reader, login)
  else if (method !== NO_LOGIN) throw new ProxyFault('it wants another user or password')
  const bytes = addressBytes(host)
  socket.write(Buffer.concat([Buffer.from([VERSION, CONNECT, 0]), bytes, Buffer.from([port >> 8, port & 0xff])]))
  const [answered, refusal = 0, , kind = 0] = await reader.take(4)
  if (answered !== VERSION) throw new ProxyFault('its answer is not SOCKS5')
  if (refusal !== 0) throw new ProxyFault(REFUSALS[refusal] ?? `it refused the connection with code ${refusal}`)
  // The bound address and port, which are not needed.
  await reader.take((await addressLength(kind, reader)) + 2)
  reader.release()
}

async function logIn(socket: Socket, reader: HandshakeReader, { user, password }: Login) {
  const [name, word] = [Buffer.from(user), Buffer.from(password)]
  if (Math.max(name.length, word.length) > LENGTH_MAX) throw new ProxyFault('user or password are too long for it')
  socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([word.length]), word]))
  const [, status] = await reader.take(2)
  if (status !== 0) throw new ProxyFault('it wants another user or password')
}

/** Names are sent as names: the proxy resolves them. */
function addressBytes(host: string) {
  if (isIP(host) !== 0) return Buffer.from([isIP(host) === 4 ? IPV4 : IPV6, ...ipaddr.parse(host).toByteArray()])
  const name = Buffer.from(host)
  if (name.length > LENGTH_MAX) throw new ProxyFault('the name of the provider is too long for it')
  return Buffer.concat([Buffer.from([NAME, name.length]), name])
}

async function addressLength(kind: number, reader: HandshakeReader) {
  if (kind === IPV4) return 4
  if (kind === IPV6) return 16
  if (kind !== NAME) throw new ProxyFault('its answer is not SOCKS5')
  const [length = 0] = await reader.take(1)
  return length
}
