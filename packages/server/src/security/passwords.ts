import { GatewayError } from '../errors.ts'

// OWASP's floor for argon2id: 19 MiB, two passes.
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** One hash takes tens of milliseconds of a core; a flood of logins must not starve the streams. */
const RUNNING_MAX = 2
const WAITING_MAX = 50

let running = 0
const waiting: (() => void)[] = []

export const hashPassword = (password: string) => inTurn(() => Bun.password.hash(normal(password), ARGON2))

/** Also verifies bcrypt hashes, which come with accounts imported from older systems. */
export const verifyPassword = (password: string, hash: string) =>
  inTurn(() => Bun.password.verify(normal(password), hash))

export const isOutdated = (hash: string) => !hash.startsWith(`$argon2id$v=19$m=${ARGON2.memoryCost},t=2,`)

/** Verified when there is no such account, so that the answer takes as long as a wrong password would. */
export const UNKNOWN_ACCOUNT = await Bun.password.hash('nobody has this password', ARGON2)

/** The same characters typed on different systems can have different bytes. */
function normal(password: string) {
  return password.normalize('NFKC')
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= RUNNING_MAX) {
    if (waiting.length >= WAITING_MAX) throw new GatewayError('server.busy')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}
