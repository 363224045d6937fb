import { openTunnel } from '../proxy/tunnel.ts'
import type { Reply } from '../reply.ts'
import { Connection, StaleConnection } from './connection.ts'
import { requestHead, type WireRequest } from './request-head.ts'
import { connectTcp, type Origin } from './tcp-socket.ts'

/** Keep-alive connections, each for the one address and name that it was opened for. */
export interface Connections {
  /** Resolves with the head of the answer. `name` distinguishes hosts on the same address. */
  ask(place: Origin, name: string, request: WireRequest, signal: AbortSignal | undefined): Promise<Reply>
}

const IDLE_MS = 60_000
const CLEANUP_INTERVAL_MS = 10_000
/** A server that closes this soon after an answer, without announcing it, gets new connections for a while. */
const EARLY_CLOSE_MS = 1_000
const NO_REUSE_MS = 60_000

export const createConnections = ({ idleFromMs }: { idleFromMs: number }): Connections => {
  const idle = new Map<string, Connection[]>()
  const noReuseUntil = new Map<string, number>()
  let timer: ReturnType<typeof setInterval> | undefined

  const closeOld = () => {
    const now = performance.now()
    for (const list of idle.values()) {
      for (const one of list.filter(({ idleSince = now }) => now - idleSince > IDLE_MS)) one.close()
    }
    for (const [key, until] of noReuseUntil) if (until < now) noReuseUntil.delete(key)
    if (idle.size + noReuseUntil.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const take = (key: string) => {
    const list = idle.get(key)
    const connection = list?.pop()
    if (list?.length === 0) idle.delete(key)
    return connection
  }

  const connect = async (place: Origin, key: string, signal: AbortSignal | undefined) => {
    const wire = await (place.hop === undefined ? connectTcp(place, signal) : openTunnel(place, place.hop, signal))
    return new Connection(wire, {
      idleFromMs,
      released(connection) {
        if (noReuseUntil.has(key)) return connection.close()
        connection.markIdle(performance.now())
        const list = idle.get(key)
        if (list === undefined) idle.set(key, [connection])
        else list.push(connection)
        timer ??= setInterval(closeOld, CLEANUP_INTERVAL_MS).unref()
      },
      closed(connection) {
        const list = idle.get(key)
        const index = list?.indexOf(connection) ?? -1
        if (index < 0) return
        list?.splice(index, 1)
        if (list?.length === 0) idle.delete(key)
        const now = performance.now()
        if (now - (connection.idleSince ?? now) < EARLY_CLOSE_MS) noReuseUntil.set(key, now + NO_REUSE_MS)
      },
    })
  }

  return {
    async ask(place, name, request, signal) {
      const key = `${name} ${place.address} ${place.port} ${place.hop?.key ?? ''}`
      const head = requestHead(request)
      for (let warm = take(key); warm !== undefined; warm = take(key)) {
        try {
          return await warm.ask(request, head, signal)
        } catch (error) {
          // A streamed body has been read already.
          if (!(error instanceof StaleConnection) || request.body instanceof ReadableStream) throw error
        }
      }
      const fresh = await connect(place, key, signal)
      return fresh.ask(request, head, signal)
    },
  }
}
