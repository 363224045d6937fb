import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeChannelRows } from '../testing/channel-makers.ts'
import { asRoot } from '../testing/makers.ts'

const fixture = async (mappings: readonly string[]) => {
  const app = await testApp()
  const root = await asRoot(app)
  const ids = await makeChannelRows(app, mappings.length, (n) => ({ model_mapping: mappings[n] ?? '' }))
  const change = (change: object, preview = false) => root.post('/api/channel/bulk', { ids, change, preview })
  const stored = async () => {
    const rows = await app.db.selectFrom('channels').select('model_mapping').orderBy('id').execute()
    return rows.map(({ model_mapping }) => (model_mapping === '' ? '' : JSON.parse(model_mapping)))
  }
  return { root, change, stored }
}

test('mappings are added to many channels, existing ones replaced, and others kept', async () => {
  const { root, change, stored } = await fixture(['', '{"gpt-4":"old","o1":"o3"}', '{ "gpt-4": "gpt-4o" }'])
  const wanted = { add_mapping: '{"gpt-4":"gpt-4o"}' }
  const shown = await change(wanted, true)
  expect(await stored()).toEqual(['', { 'gpt-4': 'old', o1: 'o3' }, { 'gpt-4': 'gpt-4o' }])
  expect(shown.data).toMatchObject({ matched: 3, changed: 2 })
  expect(shown.data.channels.map(({ mapping }: { mapping: object }) => mapping)).toEqual([
    [{ model: 'gpt-4', before: 'old', after: 'gpt-4o' }],
    [{ model: 'gpt-4', before: null, after: 'gpt-4o' }],
  ])
  expect((await change(wanted)).data).toEqual(shown.data)
  expect(await stored()).toEqual([{ 'gpt-4': 'gpt-4o' }, { 'gpt-4': 'gpt-4o', o1: 'o3' }, { 'gpt-4': 'gpt-4o' }])
  const { data: record } = await root.get('/api/audit')
  expect(record).toHaveLength(2)
  expect(Object.keys(record[0].after)).toEqual(['model_mapping'])
})

test('mappings are removed, and an emptied mapping is stored as empty', async () => {
  const { change, stored } = await fixture(['{"a":"b"}', '{"a":"b","c":"d"}', ''])
  const { data } = await change({ remove_mapping: 'a, nobody', add_mapping: '{"c":"e"}' })
  expect(data.changed).toBe(3)
  expect(await stored()).toEqual([{ c: 'e' }, { c: 'e' }, { c: 'e' }])
  expect((await change({ remove_mapping: 'c' })).data.channels[0].mapping).toEqual([
    { model: 'c', before: 'e', after: null },
  ])
  expect(await stored()).toEqual(['', '', ''])
})

test.each(['{', '[]', '"text"', '{"a":1}'])(
  '%s is not a mapping, with the message of the single-channel form',
  async (text) => {
    const { change, stored } = await fixture(['{"a":"b"}'])
    for (const preview of [true, false]) {
      expect((await change({ add_mapping: text }, preview)).body).toMatchObject({
        success: false,
        message: '模型映射必须是合法的 JSON 格式',
      })
    }
    expect(await stored()).toEqual([{ a: 'b' }])
  },
)
