import { expect, test } from 'bun:test'
import { ChannelConfig } from '@tollgate/contract'
import { hasFieldName } from '../common/field-names.ts'
import { testApp } from '../testing/app.ts'
import { CHANNEL, makeChannel } from '../testing/channel-makers.ts'
import { makeAdmin } from '../testing/makers.ts'

/** Values that a member of the config cannot have: of another type, and beyond its bounds. */
const badValues = (member: string): unknown[] => {
  if (member.endsWith('_timeout')) return [0, -1, 1.5, 901, 'soon', {}, []]
  if (member === 'header_rules') return ['x', [1], [{ action: 'set' }], [{ name: 'x-a', action: 'add' }]]
  if (member === 'body_rules') return [{}, [1], [{ action: 'set' }], [{ path: 'a', action: 'explode' }]]
  if (member === 'ignored_failures') return ['timeout', ['sometimes'], [1], Array.from({ length: 9 }, () => 'timeout')]
  if (member === 'prompt_caching') return ['sometimes', 1]
  return [1, {}, 'x'.repeat(39_000)]
}

test.each(Object.keys(ChannelConfig.shape))(
  'a bad value of a channel’s config is refused at its field: %s',
  async (member) => {
    const app = await testApp()
    const { client } = await makeAdmin(app)
    const { id } = await makeChannel(client)
    for (const value of badValues(member)) {
      const config = JSON.stringify({ [member]: value })
      for (const answer of [
        await client.post('/api/channel/', { ...CHANNEL, config }),
        await client.put('/api/channel/', { id, config }),
      ]) {
        expect([member, value, answer.body]).toMatchObject([member, value, { success: false, field: member }])
      }
    }
    expect(hasFieldName(member)).toBe(true)
  },
)

test('a config that is not an object is refused as a whole', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  for (const config of ['{', '[]', '1', '"x"']) {
    const { body } = await client.post('/api/channel/', { ...CHANNEL, config })
    expect(body).toMatchObject({ success: false, field: 'config', message: '渠道配置必须是合法的 JSON' })
  }
})
