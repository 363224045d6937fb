import { expect, setDefaultTimeout, test } from 'bun:test'
import { CHAT, type KeyShown, pooled, until } from '../testing/key-pool-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

test('a channel whose keys have all reached their limits is skipped, and the log says so', async () => {
  const fixture = await pooled({ priority: 1 })
  const other = await fixture.channel('m', { type: 1, base_url: fixture.vendor.url, key: 'sk-of-another-channel-ddd4' })
  const ids = (await fixture.keys()).map(({ id }: { id: number }) => id)
  await fixture.root.put(`/api/channel/${fixture.id}/keys`, { ids, rate_limits: { rpm: 1 } })
  for (let call = 0; call < 4; call++) expect(await fixture.say()).toBe(200)
  expect(fixture.used().at(-1)).toBe('ddd4')
  const [entry] = (await fixture.root.get('/api/log/')).data
  expect(entry).toMatchObject({ channel: other.id })
  expect(entry.detail.candidates.excluded).toMatchObject([{ channel: fixture.id, excluded: 'no key can be used now' }])
})

test('a caller learns when the first key is below its own limits again, in each dialect', async () => {
  const fixture = await pooled()
  const ids = (await fixture.keys()).map(({ id }: { id: number }) => id)
  const limit = (rate_limits: object) => fixture.root.put(`/api/channel/${fixture.id}/keys`, { ids, rate_limits })
  await limit({ rpm: 2 })
  for (let call = 0; call < 6; call++) expect(await fixture.say()).toBe(200)
  const messages = [{ role: 'user', content: 'Hello' }]
  const paths: [path: string, body: object][] = [
    ['/v1/chat/completions', { model: 'm', messages }],
    ['/v1/messages', { model: 'm', max_tokens: 9, messages }],
    ['/v1beta/models/m:generateContent', { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }],
  ]
  for (const [path, body] of paths) {
    const answer = await fixture.post(path, body)
    expect([path, answer.status]).toEqual([path, 429])
    // Half a minute for each of two requests, less the time that the calls took.
    expect(Number(answer.headers.get('retry-after'))).toBeWithin(1, 31)
  }
})

test('a key’s own limits send calls to the next key, and to none when all are reached', async () => {
  const fixture = await pooled({ key_order: 'in_order' })
  const path = `/api/channel/${fixture.id}/keys`
  const keys: KeyShown[] = await fixture.keys()
  const limits = (at: number, rate_limits: object) => fixture.root.put(path, { ids: [keys[at]?.id], rate_limits })
  await limits(0, { rpm: 2 })
  await limits(1, { tpm: 40 })
  for (let n = 0; n < 5; n++) expect(await fixture.say()).toBe(200)
  expect(fixture.used()).toEqual(['aaa1', 'aaa1', 'bbb2', 'bbb2', 'ccc3'])
  await limits(2, { concurrency: 1 })
  const { promise: go, resolve: release } = Promise.withResolvers<void>()
  fixture.answers.ccc3 = async () => {
    await go
    return Response.json(CHAT)
  }
  const open = fixture.say()
  await until(
    async () => fixture.vendor.asked.length,
    (count) => count === 6,
  )
  expect(await fixture.say()).toBe(429)
  release()
  expect(await open).toBe(200)
  expect((await fixture.account()).held).toBe(0)
})
