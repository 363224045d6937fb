import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import { makeAdmin } from '../testing/makers.ts'

test('as long as no channel can be called, testing one and asking for its balance say so and change nothing', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const channel = await makeChannel(client)
  const calls = [
    `/api/channel/test/${channel.id}`,
    `/api/channel/test/${channel.id}/?model=gpt-4o`,
    `/api/channel/test/${channel.id}?model=undefined`,
    '/api/channel/test',
    '/api/channel/test?scope=all',
    '/api/channel/test?scope=disabled',
    `/api/channel/update_balance/${channel.id}/`,
    '/api/channel/update_balance',
  ]
  for (const path of calls) {
    const chinese = await client.get(path)
    expect(chinese).toMatchObject({ status: 200, success: false })
    expect(chinese.message).toBe('此版本还没有转发功能，暂不能测试渠道或查询余额')
    const english = await client.get(path, { 'accept-language': 'en' })
    expect(english.message).toStartWith('Not available yet')
  }
  expect((await client.get(`/api/channel/${channel.id}`)).data).toEqual(channel)
})
