import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeChannel } from '../testing/channel-makers.ts'
import { refusedAddress } from '../testing/fake-upstream.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const ENGLISH = { 'accept-language': 'en' }

test('what the gateway says about a vendor is in the language of the reader, wherever it is shown', async () => {
  const { root, chat } = await relayFixture()
  await makeChannel(root, { type: 8, base_url: await refusedAddress(), models: 'say/10' })
  const { error } = await (await chat('say/10')).json()
  expect(error.message).toStartWith('The upstream cannot be reached')

  const logged = async (headers = {}) => {
    const [log] = (await root.get('/api/log/?type=6', headers)).data
    return { content: log.content, error: log.detail.error, tried: log.detail.attempts[0].error }
  }
  expect(await logged()).toEqual({ content: '调用失败：无法连接上游', error: '无法连接上游', tried: '无法连接上游' })
  const english = 'The upstream cannot be reached'
  expect(await logged(ENGLISH)).toEqual({ content: `The call failed: ${english}`, error: english, tried: english })

  for (const path of ['/api/analytics/attention', '/api/channel/attention']) {
    const lastError = async (headers = {}) => (await root.get(path, headers)).data.channels[0].last_error
    expect([await lastError(), await lastError(ENGLISH)]).toEqual(['无法连接上游', english])
  }
})
