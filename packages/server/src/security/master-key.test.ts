import { expect, onTestFinished, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseMasterKey } from '../common/master-key-text.ts'
import { testDatabase } from '../testing/database.ts'
import { loadMasterKeys } from './master-key.ts'
import { sentinel } from './sentinel.ts'
import { createVault } from './vault.ts'

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-key-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const key = (byte: number) => new Uint8Array(32).fill(byte)

test('the first start creates a key that only its owner can read; later starts use it', () => {
  const dataDir = folder()
  const [made] = loadMasterKeys(dataDir, [])
  const path = join(dataDir, 'master.key')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(made).toHaveLength(32)
  expect(readFileSync(path, 'utf8')).toBe(`${Buffer.from(made ?? []).toString('base64')}\n`)
  expect(loadMasterKeys(dataDir, [])).toEqual([made ?? key(0)])
  expect(loadMasterKeys(folder(), [])).not.toEqual([made ?? key(0)])
})

test('a key file that others can read is restricted', () => {
  const dataDir = folder()
  loadMasterKeys(dataDir, [])
  const path = join(dataDir, 'master.key')
  chmodSync(path, 0o644)
  loadMasterKeys(dataDir, [])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('keys from the environment are used as they are, and no file is created', () => {
  const dataDir = folder()
  expect(loadMasterKeys(dataDir, [key(2), key(1)])).toEqual([key(2), key(1)])
  expect(() => statSync(join(dataDir, 'master.key'))).toThrow()
})

test('a file without a valid key stops the start, and is neither printed nor replaced', () => {
  const dataDir = folder()
  const path = join(dataDir, 'master.key')
  for (const content of ['', 'too short', 'x'.repeat(100)]) {
    writeFileSync(path, content)
    expect(() => loadMasterKeys(dataDir, [])).toThrow(`${path} does not hold a master key`)
    expect(readFileSync(path, 'utf8')).toBe(content)
  }
})

test('a key is 32 bytes, in base64 or hex', () => {
  expect(parseMasterKey(Buffer.from(key(7)).toString('base64'))).toEqual(Buffer.from(key(7)))
  expect(parseMasterKey(Buffer.from(key(7)).toString('hex'))).toEqual(Buffer.from(key(7)))
  for (const text of ['', 'AAAA', 'ab'.repeat(31), Buffer.alloc(31).toString('base64')]) {
    expect(parseMasterKey(text)).toBeUndefined()
  }
})

test('a database remembers its key: with another one the start stops, with the old one after a new one it continues', async () => {
  const { db, close } = await testDatabase()
  onTestFinished(close)
  const [first, second] = [createVault([key(1)]), createVault([key(2)])]
  await sentinel(db, first)
  await sentinel(db, first)
  const wrong = `The database was sealed with the master key ${first.keyId}, but the configured one is ${second.keyId}`
  await expect(sentinel(db, second)).rejects.toThrow(wrong)
  await sentinel(db, createVault([key(2), key(1)]))
})

test('of two concurrent first starts with different keys, one continues and the other stops', async () => {
  const { db, close } = await testDatabase()
  onTestFinished(close)
  const starts = await Promise.allSettled([1, 2].map((byte) => sentinel(db, createVault([key(byte)]))))
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})
