import { RedisClient } from 'bun'
import type { Log } from './log.ts'

/** The memory that nodes share. Nobody depends on it: while it is away, each node goes by what it knows itself. */
export interface Redis {
  /** Undefined when it does not answer. */
  ask(command: string, parameters: string[]): Promise<{ answer: unknown } | undefined>
  close(): void
}

const ANSWER_WITHIN_MS = 200
const LEAVE_ALONE_MS = 2000

export const createRedis = (url: string, log: Log): Redis => {
  const client = new RedisClient(url, { connectionTimeout: 1000, maxRetries: 1_000_000, enableOfflineQueue: false })
  let quietUntil = 0
  client.onconnect = () => {
    quietUntil = 0
    log.info('Redis answers; the nodes count and remember together')
  }
  // It keeps trying by itself; until then `ask` says what is wrong.
  client.connect().catch(() => {})

  return {
    async ask(command, parameters) {
      // After a failure Redis is left alone for a moment, so that a dead one does not slow every call.
      if (Date.now() < quietUntil) return undefined
      try {
        return { answer: await within(ANSWER_WITHIN_MS, client.send(command, parameters)) }
      } catch (error) {
        quietUntil = Date.now() + LEAVE_ALONE_MS
        log.warn('Redis does not answer; this node counts and remembers by itself', { error })
        return undefined
      }
    },
    close: () => client.close(),
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error(`no answer in ${ms} ms`))
    // A busy process may be late itself: what has come meanwhile is read first.
    timer = setTimeout(() => setImmediate(giveUp), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
