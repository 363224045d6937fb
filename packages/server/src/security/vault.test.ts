import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { createVault, keyIdOf } from './vault.ts'

const key = (byte: number) => new Uint8Array(32).fill(byte)

test('an encrypted value can be decrypted in its context', () => {
  const vault = createVault([key(1)])
  for (const secret of ['', 'sk-123', '密钥 🔑', 'x'.repeat(20_000)]) {
    const sealed = vault.seal(secret, 'channel:1')
    expect(vault.open(sealed, 'channel:1')).toBe(secret)
    if (secret !== '') expect(sealed).not.toContain(secret)
  }
})

test('the same secret is encrypted differently each time, and names its key', () => {
  const vault = createVault([key(1)])
  const [one, two] = [vault.seal('secret', 'a'), vault.seal('secret', 'a')]
  expect(one).not.toBe(two)
  expect(one.split('.').slice(0, 2)).toEqual(['v1', vault.keyId])
  expect(vault.keyId).toMatch(/^[0-9a-f]{8}$/)
})

test('a value that was moved to another context cannot be decrypted', () => {
  const vault = createVault([key(1)])
  const sealed = vault.seal('secret', 'channel:1:https://api.openai.com')
  for (const context of ['channel:2:https://api.openai.com', 'channel:1:https://evil.example', '']) {
    expect(() => vault.open(sealed, context)).toThrow()
  }
})

test('a modified value cannot be decrypted', () => {
  const vault = createVault([key(1)])
  const sealed = vault.seal('secret', 'a')
  const [version = '', keyId = '', nonce = '', body = ''] = sealed.split('.')
  const changed = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
  const forgeries = [
    [version, keyId, nonce, changed(body)],
    [version, keyId, changed(nonce), body],
    [version, keyId, nonce, body.slice(0, -2)],
    [version, keyId, nonce, ''],
    [version, keyId, '', body],
    [version, 'ffffffff', nonce, body],
    ['v2', keyId, nonce, body],
    [''],
    ['plain text'],
  ]
  for (const parts of forgeries) expect(() => vault.open(parts.join('.'), 'a')).toThrow()
  expect(vault.open(sealed, 'a')).toBe('secret')
})

test('a truncated authentication tag is refused, because it would be easier to guess', () => {
  const vault = createVault([key(1)])
  const [version = '', keyId = '', nonce = '', body = ''] = vault.seal('', 'a').split('.')
  for (const length of [4, 8, 12, 15]) {
    const short = Buffer.from(body, 'base64url').subarray(0, length).toString('base64url')
    expect(() => vault.open([version, keyId, nonce, short].join('.'), 'a')).toThrow()
  }
})

test('a new first key encrypts from now on, and the old one still decrypts', () => {
  const old = createVault([key(1)])
  const sealedBefore = old.seal('secret', 'a')
  const rotated = createVault([key(2), key(1)])
  expect(rotated.keyId).toBe(keyIdOf(key(2)))
  expect(rotated.open(sealedBefore, 'a')).toBe('secret')
  const sealedAfter = rotated.seal('secret', 'a')
  expect(() => old.open(sealedAfter, 'a')).toThrow(`The master key ${keyIdOf(key(2))} is not configured`)
  expect(createVault([key(2)]).open(sealedAfter, 'a')).toBe('secret')
  expect(() => createVault([key(2)]).open(sealedBefore, 'a')).toThrow()
})

test('the id of a key reveals nothing about the key', () => {
  const master = randomBytes(32)
  expect(master.toString('hex')).not.toContain(keyIdOf(master))
  expect(() => createVault([])).toThrow('A vault needs a master key')
})
