import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeChannel, makeChannelRows } from '../testing/channel-makers.ts'
import type { Client } from '../testing/client.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot, makeAdmin, setOptions } from '../testing/makers.ts'

/** The names that a filter finds, and their total. */
const found = async (client: Client, query: string) => {
  const { success, message, data, headers } = await client.get(`/api/channel/?${query}`)
  if (!success) throw new Error(message)
  return { names: data.map(({ name }: { name: string }) => name), total: Number(headers.get('x-total-count')) }
}

test('a tag is a single line that is set with a channel, kept if not sent, and can be removed', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id, tag } = await makeChannel(client, { tag: '  resale ' })
  expect(tag).toBe('resale')
  expect((await client.put('/api/channel/', { id, weight: 2 })).data.tag).toBe('resale')
  expect((await client.get('/api/channel/tags')).data).toEqual(['resale'])
  expect((await client.put('/api/channel/', { id, tag: 'two\nlines' })).success).toBe(false)
  expect((await client.put('/api/channel/', { id, tag: 'x'.repeat(65) })).success).toBe(false)
  expect((await client.put('/api/channel/', { id, tag: '' })).data.tag).toBe('')
  expect((await client.get('/api/channel/tags')).data).toEqual([])
  expect((await makeChannel(client, {})).tag).toBe('')
})

test('the models that channels offer are listed once, of disabled channels too', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeChannelRows(app, 3, (n) => ({ models: ['gpt-4o,o3', 'house-model,gpt-4o', ''][n] ?? '', status: n + 1 }))
  expect((await client.get('/api/channel/offered_models')).data).toEqual(['gpt-4o', 'house-model', 'o3'])
})

test('channels are found by status, type, group, model, tag and a failed test, alone and combined', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeChannelRows(app, 4, (n) => ({
    ...{ name: `c${n}`, test_time: 0, response_time: 0 },
    ...[
      { tag: 'a', group: 'default,vip', models: 'gpt-4o,gpt-4o-mini' },
      { tag: 'b', status: 2, models: 'gpt-4o-mini', test_time: 9 },
      { tag: 'a', status: 3, test_time: 9, response_time: 5, type: 8, group: 'vip2', models: 'GPT-4o' },
      { type: 8, test_time: 9, group: 'vip', models: 'o3,gpt-4o' },
    ][n],
  }))
  const names = async (query: string) => (await found(client, query)).names
  expect(await names('')).toEqual(['c3', 'c2', 'c1', 'c0'])
  expect(await names('status=1')).toEqual(['c3', 'c0'])
  expect(await names('status=3')).toEqual(['c2'])
  expect(await names('type=8')).toEqual(['c3', 'c2'])
  // Whole names, case-sensitive: `vip` is not `vip2`, `gpt-4o` neither `gpt-4o-mini` nor `GPT-4o`.
  expect(await names('group=vip')).toEqual(['c3', 'c0'])
  expect(await names('model=gpt-4o')).toEqual(['c3', 'c0'])
  expect(await names('model=gpt-4')).toEqual([])
  expect(await names('tag=a')).toEqual(['c2', 'c0'])
  expect(await names('status=1&type=1&group=vip&model=gpt-4o&tag=a&keyword=c')).toEqual(['c0'])
  expect(await names('tag=b&status=1')).toEqual([])
  expect(await names('test_failed=true')).toEqual(['c3', 'c1'])
  expect(await names('test_failed=true&status=1')).toEqual(['c3'])
  expect(await names('status=&type=&group=&model=&tag=&failing=&test_failed=&unpriced=')).toHaveLength(4)
  const searched = await client.get('/api/channel/search?keyword=c&tag=a')
  expect(searched.data.map(({ name }: { name: string }) => name)).toEqual(['c2', 'c0'])
})

test('an invalid filter is refused, never ignored', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  for (const query of [
    'status=on',
    'status=4',
    'type=-1',
    'failing=101',
    'test_failed=maybe',
    'unpriced=maybe',
    'page_size=9',
    'page_size=101',
    `tag=${'x'.repeat(65)}`,
  ]) {
    const { success, message } = await client.get(`/api/channel/?${query}`)
    expect([query, success, message === '']).toEqual([query, false, false])
  }
})

test('failing channels are found by the share of their calls that failed', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const [half = 0, tenth = 0, whole = 0] = await makeChannelRows(app, 3, (n) => ({ status: n === 0 ? 2 : 1 }))
  const at = Math.floor(app.clock.now() / 1000) - 5 * 3600
  const failed = (channel: number) => ({ type: 6, content_en: 'no', channel, created_at: at })
  const answered = (channel: number, count: number) =>
    Array.from({ length: count }, () => ({ channel, created_at: at, model_name: 'm' }))
  const rows = [failed(half), ...answered(half, 1), failed(tenth), ...answered(tenth, 9), ...answered(whole, 3)]
  await makeLogs(app, ...rows)
  expect((await found(root, 'failing=50')).names).toEqual(['c0'])
  expect((await found(root, 'failing=10')).names).toEqual(['c1', 'c0'])
  expect((await found(root, 'failing=51')).names).toEqual([])
  expect((await found(root, 'failing=10&status=1')).names).toEqual(['c1'])
  expect((await root.get('/api/channel/outcomes')).data).toEqual([
    { id: half, recent: { failed: 0, calls: 0 }, day: { failed: 1, calls: 2, saved: 0 } },
    { id: tenth, recent: { failed: 0, calls: 0 }, day: { failed: 1, calls: 10, saved: 0 } },
    { id: whole, recent: { failed: 0, calls: 0 }, day: { failed: 0, calls: 3, saved: 0 } },
  ])
})

test('channels with unpriced models are found, combined with other filters', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await makeChannelRows(app, 3, (n) => ({ models: n === 0 ? 'gpt-4o' : 'gpt-4o,house-model', status: n === 1 ? 2 : 1 }))
  expect((await found(root, 'unpriced=true')).names).toEqual(['c2', 'c1'])
  expect((await found(root, 'unpriced=true&status=2')).names).toEqual(['c1'])
  expect((await found(root, 'unpriced=true&failing=1')).names).toEqual([])
  await setOptions(app, { ModelRatio: '{"house-model": 2}' })
  expect((await found(root, 'unpriced=true')).names).toEqual([])
})

test('a page of 2,000 channels has the requested size, and the count includes all matches', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await makeChannelRows(app, 2000, (n) => ({ tag: n % 2 === 0 ? 'even' : 'odd', models: 'house-model' }))
  const second = await found(root, 'p=1&page_size=100&tag=even&unpriced=true')
  expect(second.total).toBe(1000)
  expect(second.names).toHaveLength(100)
  expect(second.names[0]).toBe('c1798')
  expect((await found(root, 'p=0')).names).toHaveLength(10)
  expect((await found(root, 'p=66&page_size=30')).names).toHaveLength(20)
})
