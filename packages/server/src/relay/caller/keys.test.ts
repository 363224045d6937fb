import { expect, test } from 'bun:test'
import { testApp } from '../../testing/app.ts'
import { makeUser } from '../../testing/makers.ts'
import { makeToken } from '../../testing/token-makers.ts'
import { tokensRepository } from '../../tokens/tokens-repository.ts'
import { createKeys, presentedKey } from './keys.ts'

/** Keys whose reads are counted, and wait until they are let through. `isTold` is what the database says of earlier changes. */
async function countedKeys({ isTold = false } = {}) {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { key } = await makeToken(client, { name: 'first', unlimited_quota: true })
  const other = await makeToken(client, { name: 'other', unlimited_quota: true })
  let reads = 0
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  const tokens = {
    async factsByHash(hash: string) {
      reads++
      const waiting = gate.promise
      const facts = await tokensRepository(app.db).factsByHash(hash)
      await waiting
      return facts
    },
  }
  const changes = { catchUp: async () => isTold }
  const keys = createKeys({ tokens, changes, clock: app.clock, onUse() {} })
  const askWith = async (presented: string) =>
    (await keys.authenticate(presented, { ip: '127.0.0.1', caller: undefined })).tokenName
  return {
    app,
    keys,
    ask: () => askWith(key),
    askWithOther: () => askWith(other.key),
    rename: (name: string) => app.db.updateTable('tokens').set({ name }).where('name', '=', 'first').execute(),
    reads: () => reads,
    /** Reads that start from now on do not end before `open`. */
    close() {
      gate = Promise.withResolvers()
      return { open: gate.resolve }
    },
  }
}

test('a thousand calls at once with a key that is not known read it once', async () => {
  const { ask, reads } = await countedKeys()
  expect(new Set(await Promise.all(Array.from({ length: 1000 }, ask)))).toEqual(new Set(['first']))
  expect(reads()).toBe(1)
})

test('a key stays known, however long, while the database says that every change was announced', async () => {
  const { app, keys, ask, rename, reads } = await countedKeys({ isTold: true })
  await ask()
  for (let second = 0; second < 10; second++) {
    app.clock.pass(0.9)
    expect(await ask()).toBe('first')
  }
  expect(reads()).toBe(1)
  await rename('second')
  keys.forget()
  expect(await ask()).toBe('second')
})

test('a change that may have been made here is looked up before the next call, once for all keys', async () => {
  const { keys, ask, askWithOther, rename, reads } = await countedKeys({ isTold: true })
  await ask()
  await askWithOther()
  await rename('second')
  keys.doubt()
  expect(await ask()).toBe('second')
  expect(reads()).toBe(3)
  await askWithOther()
  expect(await ask()).toBe('second')
  expect(reads()).toBe(3)
})

test('a key that has not been used for a second is read before it is trusted', async () => {
  const { app, ask, rename } = await countedKeys()
  await ask()
  await rename('second')
  app.clock.pass(1)
  expect(await ask()).toBe('second')
})

test('a call that begins after a change does not get what was read before it', async () => {
  const { keys, ask, rename, close } = await countedKeys()
  const { open } = close()
  const before = ask()
  await rename('second')
  keys.forget()
  const after = ask()
  open()
  await before
  expect(await after).toBe('second')
  expect(await ask()).toBe('second')
})

test.each([
  [{ authorization: 'Bearer sk-a' }, 'sk-a'],
  [{ authorization: 'bearer  sk-a ' }, 'sk-a'],
  [{ authorization: 'sk-a' }, 'sk-a'],
  [{ authorization: 'Bearer sk-a', 'x-api-key': 'sk-b' }, 'sk-a'],
  [{ 'x-api-key': 'sk-b' }, 'sk-b'],
  [{ 'x-goog-api-key': 'sk-c' }, 'sk-c'],
  // As Anthropic's library sends it where the variable of its token is set to nothing.
  [{ authorization: 'Bearer ', 'x-api-key': 'sk-b' }, 'sk-b'],
  [{ authorization: 'Bearer', 'x-goog-api-key': 'sk-c' }, 'sk-c'],
  [{ authorization: '' }, 'sk-in-the-address'],
  [{}, 'sk-in-the-address'],
])('the key in %j is found', (headers, key) => {
  const url = 'http://gateway.example/v1beta/models?key=sk-in-the-address'
  expect(presentedKey(new Request(url, { headers }))).toBe(key)
})
