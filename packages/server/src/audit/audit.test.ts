import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import type { Client } from '../testing/client.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'

const name = (client: Client, value: string) => client.put('/api/option/', { key: 'SystemName', value })

test('every administrative change leaves one event: who, what, before, after, when and from where', async () => {
  const app = await testApp()
  const { id, username, client } = await makeAdmin(app)
  const began = Math.floor(app.clock.now() / 1000)
  await name(client, 'Renamed')
  const { status, data } = await client.get('/api/audit')
  expect(status).toBe(200)
  expect(data).toEqual([
    {
      id: expect.any(Number),
      created_at: expect.any(Number),
      actor_id: id,
      actor_name: username,
      action: 'option.update',
      target: 'option:SystemName',
      target_name: '',
      before: { value: 'Tollgate' },
      after: { value: 'Renamed' },
      ip: '127.0.0.1',
    },
  ])
  expect(data[0].created_at).toBeWithin(began, Math.floor(app.clock.now() / 1000) + 1)
})

test('only changed fields are stored; a creation has no before and a deletion no after', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { data: made } = await client.post('/api/user/', { username: 'newcomer', password: 'long enough 1' })
  await client.put('/api/user/', { id: made.id, display_name: 'New', quota: 50 })
  await client.delete(`/api/user/${made.id}`)
  const { data } = await client.get(`/api/audit?target=user:${made.id}`)
  expect(data.map(({ action }: { action: string }) => action)).toEqual(['user.remove', 'user.update', 'user.create'])
  const [removed, changed, created] = data
  expect(created).toMatchObject({ before: null, after: { username: 'newcomer', role: 1 } })
  expect(changed.before).toEqual({ display_name: 'newcomer', quota: 0 })
  expect(changed.after).toEqual({ display_name: 'New', quota: 50 })
  expect(removed).toMatchObject({ before: { username: 'newcomer' }, after: null })
  expect(JSON.stringify(data)).not.toContain('long enough')
})

test('the audit log is read in pages, newest first, and filtered by its target, literally', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  for (let n = 1; n <= 11; n++) await name(client, `Name ${n}`)
  await client.put('/api/option/', { key: 'Footer', value: 'x' })
  const first = await client.get('/api/audit?p=0')
  expect(first.data).toHaveLength(10)
  expect(first.data[0].target).toBe('option:Footer')
  expect(first.headers.get('x-total-count')).toBe('12')
  expect((await client.get('/api/audit/?p=1')).data).toMatchObject([
    { after: { value: 'Name 2' } },
    { after: { value: 'Name 1' } },
  ])
  expect((await client.get('/api/audit?target=option:footer')).data).toHaveLength(1)
  for (const target of ['%', '_', 'nothing']) {
    expect((await client.get(`/api/audit?target=${encodeURIComponent(target)}`)).data).toEqual([])
  }
})

test('the audit log is filtered by who, what and when, and an object is found by the name that it has today', async () => {
  const app = await testApp()
  const [one, other] = [await makeAdmin(app), await makeAdmin(app)]
  const channel = await makeChannel(one.client, { name: 'Main line' })
  await one.client.put('/api/channel/', { id: channel.id, name: 'Renamed line' })
  const { data: made } = await other.client.post('/api/user/', { username: 'newcomer', password: 'long enough 1' })
  await name(other.client, 'Some name')
  const found = async (query: string) => {
    const { data, headers } = await one.client.get(`/api/audit?${query}`)
    expect(headers.get('x-total-count')).toBe(String(data.length))
    return data.map(({ action, target_name }: Record<string, string>) => `${action} ${target_name}`.trim())
  }
  const ofChannel = ['channel.update Renamed line', 'channel.create Renamed line']
  expect(await found(`target=channel:${channel.id}`)).toEqual(ofChannel)
  expect(await found('target=renamed')).toEqual(ofChannel)
  expect(await found('target=newcomer')).toEqual(['user.create newcomer'])
  expect(await found('noun=channel')).toEqual(ofChannel)
  expect(await found('noun=chan')).toEqual([])
  expect(await found('noun=%25')).toEqual([])
  expect(await found(`actor=${other.username}`)).toEqual(['option.update', 'user.create newcomer'])
  expect(await found(`actor=${other.username}&noun=option&target=name`)).toEqual(['option.update'])
  const now = Math.floor(app.clock.now() / 1000)
  expect(await found(`start=${now + 60}`)).toEqual([])
  expect(await found(`start=${now - 60}`)).toHaveLength(4)

  await other.client.delete(`/api/user/${made.id}`)
  await other.client.delete(`/api/channel/${channel.id}`)
  expect(await found('noun=channel')).toEqual(['channel.remove', 'channel.update', 'channel.create'])
  expect(await found('noun=user')).toEqual(['user.remove', 'user.create'])
})

test('a refused change leaves no event, and reading leaves none either', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const user = await makeUser(app)
  await name(client, 'x'.repeat(65))
  await client.put('/api/user/', { id: 1, display_name: 'not root' })
  await client.delete('/api/channel/987654')
  await name(user.client, 'no')
  await client.get('/api/option/')
  await client.get('/api/user/')
  expect((await client.get('/api/audit')).data).toEqual([])
})

test('no endpoint changes or removes an event', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await name(client, 'Renamed')
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    expect((await client.send(method, '/api/audit', {})).status).toBe(404)
    expect((await client.send(method, '/api/audit/1', {})).status).toBe(404)
  }
  await client.delete('/api/log/?target_timestamp=99999999999')
  expect((await client.get('/api/audit?target=option')).data).toHaveLength(1)
})
