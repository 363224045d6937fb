import { CALL_BODY_MAX } from './bounded-body.ts'
import { GatewayError } from './errors.ts'

/** What the bodies of one user may take while they are being received. Afterwards a hold and the rate limits bound the calls. */
const ROOM = 128 * 1024 * 1024
/** Smaller bodies are not counted. */
const SMALL = 64 * 1024
const WAIT_MS = 30_000

interface Receiving {
  bytes: number
  /** In order of arrival. */
  waiting: Waiting[]
}

interface Waiting {
  bytes: number
  enter(): void
}

/**
 * Receives the bodies of each user within a bounded amount of memory, so that no key can fill it with bodies that never end. The
 * others wait unread: the sender is slowed down by its connection, and nothing is lost.
 */
export const createBodyRoom = ({ room = ROOM, waitMs = WAIT_MS } = {}) => {
  const users = new Map<number, Receiving>()

  const enter = (userId: number, bytes: number) => {
    const user = users.get(userId) ?? { bytes: 0, waiting: [] }
    users.set(userId, user)
    if (user.waiting.length === 0 && user.bytes + bytes <= room) {
      user.bytes += bytes
      return undefined
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const one: Waiting = { bytes, enter: resolve }
    user.waiting.push(one)
    const late = setTimeout(() => {
      user.waiting.splice(user.waiting.indexOf(one), 1)
      reject(new GatewayError('server.busy'))
      // What waited behind it may be smaller.
      admit(userId, user)
    }, waitMs)
    return promise.finally(() => clearTimeout(late))
  }

  const admit = (userId: number, user: Receiving) => {
    for (let [next] = user.waiting; next !== undefined && user.bytes + next.bytes <= room; [next] = user.waiting) {
      user.waiting.shift()
      user.bytes += next.bytes
      next.enter()
    }
    if (user.bytes === 0) users.delete(userId)
  }

  const counted = async <T>(userId: number, bytes: number, read: () => Promise<T>) => {
    const entering = enter(userId, bytes)
    if (entering !== undefined) await entering
    try {
      return await read()
    } finally {
      const user = users.get(userId)
      if (user !== undefined) {
        user.bytes -= bytes
        admit(userId, user)
      }
    }
  }

  return {
    /** Reads the body of a request when there is room for it. */
    receive<T>({ userId }: { userId: number }, request: Request, read: () => Promise<T>): Promise<T> {
      const bytes = announcedBytes(request)
      return bytes <= SMALL ? read() : counted(userId, Math.min(bytes, room), read)
    },
    /** The bytes that a user is sending or has announced. */
    taken: (userId: number) => users.get(userId)?.bytes ?? 0,
  }
}

/** A body of unknown length may become as long as any. */
const UNANNOUNCED = CALL_BODY_MAX

function announcedBytes(request: Request) {
  const announced = request.headers.get('content-length')
  if (announced !== null) return Number(announced)
  return request.body === null ? 0 : UNANNOUNCED
}

/** Of this process, whose memory it is. */
export const bodyRoom = createBodyRoom()
