import type { NetworkProxy } from '../catalog/snapshot.ts'
import type { AddressPolicy } from './addresses.ts'
import { type CheckedHosts, createCheckedHosts } from './checked-hosts.ts'
import { Fault, ProtocolError } from './fault.ts'
import {
  checkedProxy,
  createHttp,
  type Destination,
  failure,
  identity,
  orAborted,
  parseDestination,
  pinned,
  sentHeaders,
  timeLimit,
} from './http.ts'
import { createCheckedName } from './proxy/checked-name.ts'
import { openBridge } from './proxy/loopback-bridge.ts'
import { openTunnelSocket } from './proxy/tunnel.ts'

/** How a WebSocket ended. `clean`: both sides closed it properly. */
export interface SocketEnd {
  code: number
  reason: string
  clean: boolean
}

interface SocketListener {
  message(data: string | Uint8Array): void
  /** Called once, with nothing after it. */
  closed(end: SocketEnd): void
}

/** An open WebSocket to a vendor. */
export interface UpstreamSocket {
  send(message: string | Uint8Array): void
  /** Bytes buffered for sending. */
  waiting(): number
  /** Stops reading, so that the vendor has to wait as well. */
  pause(): void
  resume(): void
  /** Delivers messages from now on, starting with those received earlier. */
  listen(listener: SocketListener): void
  close(code?: number, reason?: string): void
}

export interface SocketRequest {
  policy: AddressPolicy
  headers?: Record<string, string>
  protocols?: readonly string[]
  /** Aborts the socket, whether or not it is open. */
  signal?: AbortSignal
  /** The proxy to the vendor, if any. */
  proxy?: NetworkProxy | undefined
  /** Timeout of the upgrade. */
  timeoutMs?: number
  /** The heartbeat interval; a peer that does not answer is dropped. */
  heartbeatMs?: number
}

/** Opens a WebSocket by the rules of `Http`: the address is checked and the connection pinned to it. */
export type Sockets = (url: string, request: SocketRequest) => Promise<UpstreamSocket>

/** The upgrade was refused. `body` is empty when the reason is unknown. */
export class UpgradeRefused extends Error {
  constructor(
    readonly status: number,
    readonly body = '',
  ) {
    super(`The upgrade was refused with status ${status}`)
  }
}

const REASON_MS = 5_000
const REASON_MAX_BYTES = 64 * 1024

interface Needs {
  hosts?: CheckedHosts
  timeoutMs?: number
  /** Certificates to trust instead of the system's. */
  ca?: string
}

export const createSockets = ({ hosts = createCheckedHosts(), timeoutMs = 30_000, ca }: Needs = {}): Sockets => {
  const http = createHttp({ hosts, timeoutMs: REASON_MS, ...(ca === undefined ? {} : { ca }) })

  /**
   * The runtime keeps only the status of a refused upgrade. The same request without the upgrade is refused for the same reason, if it
   * gets the same status; after 429 and server errors it is not repeated.
   */
  const withReason = async (target: string, request: SocketRequest, refused: UpgradeRefused) => {
    const { policy, headers, signal, proxy } = request
    const { status } = refused
    if (status === 429 || status >= 500) return refused
    const plain = {
      ...{ policy, maxBytes: REASON_MAX_BYTES },
      ...(headers && { headers }),
      ...(signal && { signal }),
      ...(proxy && { proxy }),
    }
    const answer = await http.text(target.replace(/^ws/, 'http'), plain).catch(() => undefined)
    return answer?.status === status ? new UpgradeRefused(status, answer.text) : refused
  }

  const checkName = createCheckedName(hosts)

  /** The proxy resolves the name; whether it may be contacted is still checked as far as possible. */
  const behindProxy = async (to: Destination, proxy: NetworkProxy, request: SocketRequest, signal: AbortSignal) => {
    await checkName(to.host, request.policy)
    const hop = await checkedProxy(proxy, { hosts, ca }, signal)
    const place = { address: to.host, port: to.portNumber, tls: undefined, timeoutMs: undefined, hop }
    const { socket } = await openTunnelSocket(place, hop, signal)
    const bridge = await openBridge(socket)
    return opened({ ...to, port: `:${bridge.port}` }, '127.0.0.1', request, { signal, ca }).catch((error) => {
      bridge.close()
      throw error
    })
  }

  return async (target, request) => {
    const to = parseDestination(target, 'ws')
    const limit = timeLimit(request.timeoutMs ?? timeoutMs, request.signal)
    const { signal } = limit
    try {
      if (request.proxy !== undefined) return await behindProxy(to, request.proxy, request, signal)
      const addresses = await orAborted(Promise.resolve(hosts(to.host, request.policy)), signal)
      return await connect(to, addresses, request, { signal, ca })
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason
      if (error instanceof UpgradeRefused) throw await withReason(target, request, error)
      throw error instanceof Fault ? failure(to, error) : error
    } finally {
      limit.lift()
    }
  }
}

interface ConnectOptions {
  signal: AbortSignal
  ca: string | undefined
}

async function connect(to: Destination, addresses: readonly string[], request: SocketRequest, options: ConnectOptions) {
  for (const [index, address] of addresses.entries()) {
    try {
      return await opened(to, address, request, options)
    } catch (error) {
      if (index === addresses.length - 1 || !(error instanceof NotConnected)) throw error
    }
  }
  throw new Fault('no address')
}

class NotConnected extends Fault {}

/** Bun's own client, which supports headers and pausing; the browser's types hide it. */
const Client = WebSocket as unknown as new (url: string, options: Bun.WebSocketOptions) => Bun.WebSocket

function opened(
  to: Destination,
  address: string,
  request: SocketRequest,
  { signal, ca }: ConnectOptions,
): Promise<UpstreamSocket> {
  const socket = new Client(pinned(to, address), {
    headers: sentHeaders(request.headers, to.authority),
    ...(request.protocols === undefined ? {} : { protocols: [...request.protocols] }),
    ...(to.scheme === 'wss:' ? { tls: identity(to.host, ca) } : {}),
    // A short message could decompress to any length.
    perMessageDeflate: false,
  })
  socket.binaryType = 'nodebuffer'
  const upstream = attended(socket, request)
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(signal.reason)
      socket.terminate()
    }
    const settled = () => signal.removeEventListener('abort', giveUp)
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp)
    socket.addEventListener('open', () => {
      settled()
      resolve(upstream)
    })
    socket.addEventListener('error', ({ message }) => {
      settled()
      reject(reasonIn(message))
    })
  })
}

/** The runtime reports it only in its message, which is never shown because it contains the whole URL. */
function reasonIn(message: string) {
  const status = Number(/Expected 101 status code: (\d{3})/.exec(message)?.[1] ?? 0)
  if (status >= 300 && status <= 399) return new Fault(`answered with a redirect (${status})`)
  // An invalid status is no refusal, and could not be passed to a caller.
  if (status !== 0 && (status < 200 || status > 599))
    return new ProtocolError(`answered the upgrade with status ${status}`)
  if (status !== 0) return new UpgradeRefused(status)
  return message.includes('Failed to connect') ? new NotConnected('ECONNREFUSED') : new Fault('failed')
}

/** Messages may arrive before anyone listens: in the same packet as the handshake's answer. */
function attended(socket: Bun.WebSocket, { signal, heartbeatMs }: SocketRequest): UpstreamSocket {
  const early: (string | Uint8Array)[] = []
  let listener: SocketListener | undefined
  let end: SocketEnd | undefined
  const terminate = () => socket.terminate()
  const heartbeat = heartbeatMs === undefined ? undefined : beating(socket, heartbeatMs)
  signal?.addEventListener('abort', terminate)
  socket.addEventListener('message', ({ data }: MessageEvent<string | Uint8Array>) => {
    heartbeat?.alive()
    if (listener === undefined) early.push(data)
    else listener.message(data)
  })
  socket.addEventListener('close', ({ code, reason, wasClean }) => {
    signal?.removeEventListener('abort', terminate)
    heartbeat?.stop()
    end = { code, reason, clean: wasClean }
    listener?.closed(end)
  })
  return {
    send: (message) => socket.send(message),
    waiting: () => socket.bufferedAmount,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    listen(given) {
      for (const data of early.splice(0)) given.message(data)
      listener = given
      if (end !== undefined) given.closed(end)
    },
    close: (code, reason) => socket.close(code, reason),
  }
}

/** A connection may be dead without notice. While reading is paused, silence means nothing. */
function beating(socket: Bun.WebSocket, everyMs: number) {
  let answered = true
  const alive = () => {
    answered = true
  }
  const timer = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN || socket.isPaused) return
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, everyMs)
  timer.unref()
  socket.addEventListener('pong', alive)
  return { alive, stop: () => clearInterval(timer) }
}
