import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeChannel } from '../../testing/channel-makers.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

setDefaultTimeout(30_000)

const PICTURES = { prompt: 'A pier', size: '1024x1024', n: 10 }

const fixture = async (quota: number, options = {}) => {
  const relay = await relayFixture({ quota, options })
  const data = Array.from({ length: 10 }, () => ({ url: 'https://pictures.example/1.png' }))
  const vendor = fakeVendor(() => Response.json({ created: 1, data }))
  await makeChannel(relay.root, { type: 1, base_url: vendor.url, models: 'dall-e-2,gpt-4o' })
  const draw = (language: string) => {
    const headers = { 'accept-language': language }
    return relay.post('/v1/images/generations', { model: 'dall-e-2', ...PICTURES }, { headers })
  }
  return { ...relay, draw }
}

test('a balance that is too small is refused with the amount that the call needs, in both languages', async () => {
  const { app, payer, draw, account } = await fixture(99_999)
  const said = async (language: string) => (await (await draw(language)).json()).error.message
  expect(await said('en')).toStartWith('The balance does not cover this call, which needs $0.20 of quota: top up')
  expect(await said('zh')).toStartWith('账户余额不足：这次调用需要 $0.20 额度')
  expect(await account()).toMatchObject({ quota: 99_999, held: 0 })
  // This amount is enough.
  await app.db.updateTable('users').set({ quota: 100_000 }).where('id', '=', payer.id).execute()
  expect((await draw('en')).status).toBe(200)
  expect(await account()).toMatchObject({ quota: 0, held: 0 })
})

test('if the site shows points, the amount is in points', async () => {
  const { draw } = await fixture(1, { DisplayInCurrencyEnabled: false })
  expect((await (await draw('en')).json()).error.message).toContain('needs 100000 quota points')
})

test('a key that is too small is reported in the same way, and every dialect has its own format', async () => {
  const { app, post } = await fixture(10_000_000)
  await app.db.updateTable('tokens').set({ remain_quota: 10, unlimited_quota: 0 }).execute()
  app.clock.pass(2)
  const headers = { 'accept-language': 'en' }
  const max_tokens = 1000
  const answers = [
    await post('/v1/chat/completions', { model: 'gpt-4o', messages: MESSAGES, max_tokens }, { headers }),
    await post('/v1/responses', { model: 'gpt-4o', input: 'Hello', max_output_tokens: max_tokens }, { headers }),
    await post('/v1/messages', { model: 'gpt-4o', messages: MESSAGES, max_tokens }, { headers }),
    await post(
      '/v1beta/models/gpt-4o:generateContent',
      { contents: [{ parts: [{ text: 'Hello' }] }], generationConfig: { maxOutputTokens: max_tokens } },
      { headers },
    ),
  ]
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 402, 429])
  for (const answer of answers) {
    const { message } = (await answer.json()).error
    expect(message).toMatch(/^The quota of this API key does not cover this call, which needs \$0\.0100?\d* of quota/)
  }
})
