import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

const found = async (client: Client, path: string) =>
  (await client.get(path)).data.map(({ content }: { content: string }) => content)

/** The id of a request made in this second. */
const requestAt = (second: number) => Bun.randomUUIDv7('hex', second * 1000)

test('a call is found by the id in its answer, by its owner and by administrators, with its sum and as a file', async () => {
  const { app, chat, channel, payer, root } = await relayFixture()
  await channel('a-model')
  await chat('a-model')
  const answer = await chat('a-model')
  const id = answer.headers.get('x-request-id') ?? ''
  for (const [client, path] of [
    [root, '/api/log/'],
    [payer.client, '/api/log/self'],
  ] as const) {
    const { data, headers } = await client.get(`${path}?request_id=${id}`)
    expect(data).toMatchObject([{ request_id: id, model_name: 'a-model' }])
    expect(headers.get('x-total-count')).toBe('1')
    const sum = await client.get(`${path.replace(/\/$/, '')}/stat?request_id=${id}`)
    expect(sum.data).toEqual({ quota: data[0].quota, rounded: false })
  }
  const stranger = await makeUser(app)
  expect(await found(stranger.client, `/api/log/self?request_id=${id}`)).toEqual([])
})

test('other filters narrow it, a second page is empty, and a file contains only the entry', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const request_id = requestAt(5000)
  await makeLogs(
    app,
    { created_at: 5000, content: 'before' },
    { created_at: 5003, content: 'it', request_id, username: 'ann', type: 2 },
    { created_at: 5004, content: 'after' },
  )
  const path = `/api/log/?request_id=${request_id}`
  expect(await found(client, path)).toEqual(['it'])
  expect(await found(client, `${path}&username=ann&type=2&start_timestamp=5001&end_timestamp=5003`)).toEqual(['it'])
  for (const other of ['username=bob', 'type=6', 'start_timestamp=5004', 'end_timestamp=5002', 'p=1']) {
    expect(await found(client, `${path}&${other}`)).toEqual([])
  }
  const { data } = await client.get(`/api/log/export?request_id=${request_id}`)
  expect(String(data).split('\r\n').slice(1, -1)).toEqual([expect.stringContaining(request_id)])
})

test('an entry that was written long after its call began is found among hundreds of others', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const request_id = requestAt(5000)
  await makeLogs(app, ...Array.from({ length: 600 }, (_, n) => ({ created_at: 5000 + n, content: 'other', type: 3 })))
  await makeLogs(app, { created_at: 5600, content: 'late', request_id })
  expect(await found(client, `/api/log/?request_id=${request_id}`)).toEqual(['late'])
})

test('an invalid request id finds nothing', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeLogs(app, { content: 'without an id' })
  for (const id of ['x', '%25', "'", '0', crypto.randomUUID(), requestAt(4_000_000_000)]) {
    expect(await found(client, `/api/log/?request_id=${encodeURIComponent(id)}`)).toEqual([])
  }
  expect(await found(client, '/api/log/?request_id=')).toEqual(['without an id'])
})
