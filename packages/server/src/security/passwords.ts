import { randomBytes } from 'node:crypto'
import { GatewayError } from '../common/errors.ts'

// OWASP's minimum for argon2id: 19 MiB, two passes.
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** One hash takes tens of milliseconds of a core; a flood of logins must not starve the streams. */
const RUNNING_MAX = 2
const WAITING_MAX = 50

let running = 0
const waiting: (() => void)[] = []

export const hashPassword = (password: string) => inTurn(() => Bun.password.hash(normal(password), ARGON2))

/** Also verifies bcrypt hashes of accounts imported from older systems. Any other text matches nothing. */
export const verifyPassword = (password: string, hash: string) =>
  inTurn(() => Bun.password.verify(normal(password), hash).catch(() => false))

export const isOutdated = (hash: string) => !hash.startsWith(`$argon2id$v=19$m=${ARGON2.memoryCost},t=2,`)

/**
 * Verified when there is no account or password, so that the answer takes as long as for a wrong password. It looks like a hash but
 * consists of 32 random bytes: no password matches, and the start need not compute one.
 */
export const NO_PASSWORD = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=1$${random32()}$${random32()}`

/** In the encoding of a hash's salt and result. */
function random32() {
  return randomBytes(32).toString('base64').replace('=', '')
}

/** The same characters entered on different systems can have different bytes. */
function normal(password: string) {
  return password.normalize('NFKC')
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < RUNNING_MAX) running++
  else {
    if (waiting.length >= WAITING_MAX) throw new GatewayError('server.busy')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  try {
    return await work()
  } finally {
    // The slot goes straight to the next in line.
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}
