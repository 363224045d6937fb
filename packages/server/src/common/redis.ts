import { RedisClient } from 'bun'
import type { Log } from './log.ts'
import { redisRefusal } from './redis-refusal.ts'

/** Memory shared by the nodes. It is optional: while it is unavailable, each node uses its own. */
export interface Redis {
  /** Undefined when Redis does not answer. */
  ask(command: string, parameters: string[]): Promise<{ answer: unknown } | undefined>
  answers(): boolean
  /** Why it does not answer; empty while it does. */
  trouble(): string
  close(): void
}

const ANSWER_WITHIN_MS = 200
/** A replica, or a server without memory left, answers PING and refuses every command that counts. */
const PROBE = ['tollgate:probe', '1', 'PX', '1']
/** Limits are counted by scripts about several keys, which a server of a cluster refuses. */
const SCRIPT_PROBE = ['return 1', '2', 'tollgate:probe', 'tollgate:probe:2']
const CONNECT_WITHIN_MS = 1000
const RETRY_MS = 100
const RETRY_MAX_MS = 5000

/**
 * One connection, which is replaced as soon as it fails or a command times out, indefinitely. The client's own reconnect gives
 * up after a refused handshake, and never notices a silent connection.
 */
export const createRedis = (url: string, log: Log): Redis => {
  let client: RedisClient | undefined
  let retryMs = RETRY_MS
  let timer: Timer | undefined
  let closed = false
  let reported = ''

  const report = (reason: string) => {
    // Logged once per reason, so that a long outage does not fill the log.
    if (reason !== reported) log.warn(`Redis does not answer (${reason}); this node counts and remembers by itself`)
    reported = reason
  }

  const retry = () => {
    if (closed) return
    timer = setTimeout(connect, retryMs)
    timer.unref()
    retryMs = Math.min(retryMs * 2, RETRY_MAX_MS)
  }

  const replace = (old: RedisClient, reason: string) => {
    if (client !== old) return
    client = undefined
    old.close()
    if (closed) return
    report(reason)
    retry()
  }

  const connect = async () => {
    const next = new RedisClient(url, {
      ...{ connectionTimeout: CONNECT_WITHIN_MS, autoReconnect: false, enableOfflineQueue: false },
    })
    try {
      await next.connect()
      await answerWithin(ANSWER_WITHIN_MS, next.send('SET', PROBE))
      await answerWithin(ANSWER_WITHIN_MS, next.send('EVAL', SCRIPT_PROBE))
    } catch (error) {
      next.close()
      // The client reports every refusal as a closed connection.
      report((await redisRefusal(url, CONNECT_WITHIN_MS)) ?? explained(messageOf(error)))
      return retry()
    }
    if (closed) return next.close()
    client = next
    reported = ''
    next.onclose = () => replace(next, 'the connection was closed')
    log.info('Redis answers; the nodes count and remember together')
  }
  void connect()

  return {
    async ask(command, parameters) {
      const asked = client
      if (asked === undefined) return undefined
      try {
        const answer = await answerWithin(ANSWER_WITHIN_MS, asked.send(command, parameters))
        retryMs = RETRY_MS
        return { answer }
      } catch (error) {
        replace(asked, messageOf(error))
        return undefined
      }
    },
    answers: () => client !== undefined,
    trouble: () => (client === undefined ? reported || 'not connected yet' : ''),
    close() {
      closed = true
      clearTimeout(timer)
      client?.close()
    },
  }
}

/** Where Redis's own message does not say what to change. */
function explained(message: string) {
  if (/^(CROSSSLOT|MOVED|CLUSTERDOWN)\b/.test(message)) return 'it is part of a cluster; a single server is needed'
  if (/^ERR unknown command/.test(message)) return 'it is a Sentinel; the address of the server itself is needed'
  return message
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function answerWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error(`no answer in ${ms} ms`))
    // A busy process may itself be late: pending data is read first.
    timer = setTimeout(() => setImmediate(giveUp), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
