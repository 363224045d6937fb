import { connect as connectNet, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Fault, ProxyFault } from '../fault.ts'
import { CONNECT_MS, type Origin, type Wire } from '../http1/tcp-socket.ts'
import type { CheckedProxy } from './checked-proxy.ts'
import { askHttpProxy } from './http-connect.ts'
import { SocketWire } from './socket-wire.ts'
import { askSocksProxy } from './socks5.ts'

/**
 * Connects through a proxy, with Node sockets: only they support TLS inside TLS. Nothing of a request has been sent when it fails. The
 * timeout covers everything: to the proxy, through it, and the provider's TLS.
 */
export async function openTunnel(place: Origin, hop: CheckedProxy, signal: AbortSignal | undefined): Promise<Wire> {
  const { socket, layers } = await openTunnelSocket(place, hop, signal)
  return new SocketWire(socket, layers)
}

/** The same for protocols other than HTTP. */
export async function openTunnelSocket(place: Origin, hop: CheckedProxy, signal: AbortSignal | undefined) {
  const late = AbortSignal.timeout(place.timeoutMs ?? CONNECT_MS)
  const layers: Socket[] = []
  const stop = () => {
    for (const socket of layers) socket.destroy()
  }
  const ends = signal === undefined ? late : AbortSignal.any([signal, late])
  ends.addEventListener('abort', stop)
  try {
    ends.throwIfAborted()
    return await throughProxy(place, hop, layers, ends)
  } catch (error) {
    stop()
    if (signal?.aborted) throw signal.reason
    throw late.aborted ? new ProxyFault('it did not connect in time') : error
  } finally {
    ends.removeEventListener('abort', stop)
  }
}

async function throughProxy({ address, port, tls }: Origin, hop: CheckedProxy, layers: Socket[], ends: AbortSignal) {
  let socket = await reached(hop, layers, ends)
  if (hop.scheme === 'https') {
    socket = await secured(socket, hop.host, hop.tls, layers).catch(() => {
      throw new ProxyFault('its TLS failed')
    })
  }
  const ask = hop.scheme === 'socks5' ? askSocksProxy : askHttpProxy
  await ask(socket, { host: address, port }, hop)
  if (tls !== undefined) socket = await secured(socket, address, tls, layers)
  ends.throwIfAborted()
  return { socket, layers }
}

async function reached({ addresses, port }: CheckedProxy, layers: Socket[], ends: AbortSignal) {
  for (const host of addresses) {
    const socket = connectNet({ host, port })
    layers.splice(0, layers.length, socket)
    if (await event(socket, 'connect').catch(() => false)) return socket
    ends.throwIfAborted()
  }
  throw new ProxyFault('it cannot be reached')
}

async function secured(socket: Socket, host: string, tls: Bun.TLSOptions | undefined, layers: Socket[]) {
  const { serverName, ca } = tls ?? {}
  const inside = connectTls({
    socket,
    // The certificate's identity, also for an address without a name.
    host,
    rejectUnauthorized: true,
    ...(serverName !== undefined && { servername: serverName }),
    ...(typeof ca === 'string' && { ca }),
  })
  layers.unshift(inside)
  await event(inside, 'secureConnect')
  return inside
}

/** Waits for an event, an error or the end. */
function event(socket: Socket, name: 'connect' | 'secureConnect') {
  const { promise, resolve, reject } = Promise.withResolvers<true>()
  socket.once(name, () => resolve(true))
  // It stays: an unhandled error event would end the process.
  socket.on('error', reject)
  socket.once('close', () => reject(new Fault('broke off')))
  return promise
}
