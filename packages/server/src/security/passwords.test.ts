import { expect, test } from 'bun:test'
import { GatewayError } from '../common/errors.ts'
import { hashPassword, isOutdated, NO_PASSWORD, verifyPassword } from './passwords.ts'
import { lookupHash, randomDigits, randomHex, randomText } from './random.ts'

test('a password is stored as argon2id with the cost that OWASP recommends', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(await verifyPassword('correct horse', hash)).toBe(true)
  expect(await verifyPassword('Correct horse', hash)).toBe(false)
  expect(await hashPassword('correct horse')).not.toBe(hash)
})

test('long passwords are not truncated', async () => {
  const hash = await hashPassword(`${'x'.repeat(127)}a`)
  expect(await verifyPassword(`${'x'.repeat(127)}b`, hash)).toBe(false)
})

test('hashes of older systems and older settings are outdated, the own ones are not', async () => {
  expect(isOutdated(await hashPassword('x'))).toBe(false)
  expect(isOutdated(await Bun.password.hash('x', { algorithm: 'bcrypt', cost: 4 }))).toBe(true)
  expect(isOutdated(await Bun.password.hash('x', { algorithm: 'argon2id', memoryCost: 8, timeCost: 2 }))).toBe(true)
  expect(isOutdated('')).toBe(true)
})

test('an invalid hash matches no password', async () => {
  for (const text of ['', 'x', '$argon2id$nonsense', '$2a$10$short', '$1$md5']) {
    expect(await verifyPassword('x', text)).toBe(false)
    expect(await verifyPassword('', text)).toBe(false)
  }
})

test('the dummy hash is made by the same rules, so that it takes as long', async () => {
  const shape = (hash: string) => hash.split('$').map((part, index) => (index > 3 ? part.length : part))
  expect(shape(NO_PASSWORD)).toEqual(shape(await hashPassword('x')))
  // Computed and compared: an unreadable hash would be refused at once.
  expect(await Bun.password.verify('x', NO_PASSWORD)).toBe(false)
})

test('two are checked at a time and fifty wait; others are refused at once', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => verifyPassword('x', 'no hash')))
  const turnedAway = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(turnedAway).toHaveLength(8)
  for (const { reason } of turnedAway) {
    expect(reason).toBeInstanceOf(GatewayError)
    expect(reason.code).toBe('server.busy')
  }
  expect(await verifyPassword('x', 'no hash')).toBe(false)
})

test('random texts have the requested length and characters', () => {
  for (let round = 0; round < 100; round++) {
    expect(randomText(48)).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(randomDigits()).toMatch(/^\d{6}$/)
    expect(randomHex(16)).toMatch(/^[0-9a-f]{32}$/)
  }
  expect(new Set(Array.from({ length: 1000 }, () => randomText(8))).size).toBe(1000)
})

test('each character is equally likely', () => {
  const counts = new Map<string, number>()
  for (const letter of randomText(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // With 1000 expected each, a fair source is outside these bounds less than once in a billion runs.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250)
})

test('a secret is looked up by a hash from which it cannot be read', () => {
  expect(lookupHash('at-secret')).toMatch(/^[0-9a-f]{64}$/)
  expect(lookupHash('at-secret')).toBe(lookupHash('at-secret'))
  expect(lookupHash('at-secret')).not.toBe(lookupHash('at-secret '))
})
