import { expect, test } from 'bun:test'
import { isTooDeep } from '../../common/too-deep.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test('a few hundred levels are too many, wherever they are', () => {
  for (const nested of [lists, objects]) {
    expect(isTooDeep(JSON.parse(nested(256)))).toBe(false)
    expect(isTooDeep(JSON.parse(nested(300)))).toBe(true)
    expect(isTooDeep(JSON.parse(`{"b":[1,2],"a":[{"x":${nested(300)}},3]}`))).toBe(true)
  }
  for (const flat of [null, 1, 'x', [], {}, { a: [{ b: 1 }] }]) expect(isTooDeep(flat)).toBe(false)
})

test.each([
  ['translated', '/v1/messages', `{"model":"a","max_tokens":5,"messages":[],"tools":[{"x":${objects(200_000)}}]}`],
  ['translated', '/v1/chat/completions', `{"model":"claude","messages":${lists(200_000)}}`],
  ['printed anew', '/v1/chat/completions', `{"model":"a","model":"a","messages":${lists(200_000)}}`],
  ['renamed', '/v1beta/models/gm:generateContent', `{"model":"models/gm","contents":[],"x":${lists(200_000)}}`],
])(
  'a body of a hundred thousand levels that would be %s is refused, and no channel is blamed: %s',
  async (_, path, body) => {
    const { app, key, channel, upstream, openHolds, charges } = await relayFixture({
      options: { AutomaticDisableChannelEnabled: true },
    })
    await channel('a')
    await channel('claude', { type: 14 })
    await channel('gm', { type: 24, model_mapping: '{"gm":"real"}' })
    for (let turn = 0; turn < 12; turn++) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(app.url + path, { method: 'POST', headers, body })
      expect(response.status).toBe(400)
    }
    expect(upstream.journal).toEqual([])
    expect(await openHolds()).toEqual([])
    expect(await charges()).toEqual([])
    const disabled = await app.db.selectFrom('channels').select('id').where('status', '!=', 1).execute()
    expect(disabled).toEqual([])
  },
)
