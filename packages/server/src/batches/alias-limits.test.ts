import { expect, setDefaultTimeout, test } from 'bun:test'
import { batchFixture, batchOf, CLAUDE, chatLine, chatLines, MINI, refusedBy } from '../testing/batch-fixture.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import { setOptions } from '../testing/makers.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

const VIDEO = 'sora-2'

/** A gateway whose three models have an alias each. */
async function fixture() {
  const world = await batchFixture({ quota: 100_000_000 })
  const { root, channelId, vendor, app, payer } = world
  await root.put('/api/channel/', { id: channelId, models: `${MINI},${VIDEO}` })
  await makeChannel(root, { type: 14, base_url: vendor.url, key: 'k-anthropic', models: CLAUDE })
  await setOptions(app, { ModelAliases: JSON.stringify({ tide: MINI, ebb: CLAUDE, film: VIDEO }) })
  const [{ id: tokenId }] = (await payer.client.get('/api/token/')).data
  const { id: file } = await world.upload(chatLines(1, { model: 'tide' }))
  const messages = [{ role: 'user', content: 'Hello' }]
  const calls: Record<string, () => Promise<Response>> = {
    call: () => world.chat('tide', { max_tokens: 100 }),
    batch: () => world.post('/v1/batches', batchOf(file)),
    'message batch': () =>
      world.post('/v1/messages/batches', {
        requests: [{ custom_id: 'a', params: { model: 'ebb', max_tokens: 100, messages } }],
      }),
    'background response': () => world.post('/v1/responses', { model: 'tide', input: 'Hello', background: true }),
    video: () => world.post('/v1/videos', { model: 'film', prompt: 'The tide comes in' }),
  }
  const answers = async () => {
    const all: [string, number, string][] = []
    for (const [name, call] of Object.entries(calls)) {
      const answer = await call()
      all.push([name, answer.status, await answer.text()])
    }
    return all
  }
  return { ...world, tokenId: Number(tokenId), answers }
}

test('the budget of a model covers it under every alias, in calls and in work that takes longer', async () => {
  const { root, tokenId, answers, vendor, openHolds, app } = await fixture()
  for (const model of [MINI, CLAUDE, VIDEO]) {
    const budget = { scope: 'key', target: String(tokenId), model, quota: 1, period: 'day' }
    expect(await root.post('/api/budget/', budget)).toMatchObject({ success: true })
  }
  for (const [name, status, text] of await answers())
    expect([name, [402, 429].includes(status), text.includes('udget')]).toEqual([name, true, true])
  expect([vendor.batches.size, vendor.responses.size, await openHolds(), await app.audit()]).toEqual([0, 0, [], []])
})

test('a file or a batch of several models counts against the rate limit of each', async () => {
  const { payer, root, channelId, upload, post, vendor } = await fixture()
  await root.put('/api/channel/', { id: channelId, models: `${MINI},${VIDEO},gpt-4o` })
  const mixed = [...chatLines(1), chatLine('other', { model: 'gpt-4o' })]
  const { id: file } = await upload(mixed)
  const [token] = (await payer.client.get('/api/token/')).data
  const limited = (model: string) =>
    payer.client.put('/api/token/', { ...token, rate_limits: { models: { [model]: { rpm: 1 } } } })
  for (const model of [MINI, 'gpt-4o']) {
    expect(await limited(model)).toMatchObject({ success: true })
    const before = vendor.batches.size
    const answers = [await post('/v1/batches', batchOf(file)), await post('/v1/batches', batchOf(file))]
    expect([model, ...answers.map(({ status }) => status)]).toEqual([model, 200, 429])
    expect(await refusedBy(upload(mixed))).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
    expect(vendor.batches.size).toBe(before + 1)
  }
})

test('the rate limit of a model counts it under every alias, in calls and in work that takes longer', async () => {
  const { payer, answers } = await fixture()
  const [token] = (await payer.client.get('/api/token/')).data
  const models = { [MINI]: { rpm: 1 }, [CLAUDE]: { rpm: 1 }, [VIDEO]: { rpm: 1 } }
  expect(await payer.client.put('/api/token/', { ...token, rate_limits: { models } })).toMatchObject({ success: true })
  await answers()
  for (const [name, status, text] of await answers())
    expect([name, status, /rate limit|per minute/i.test(text)]).toEqual([name, 429, true])
})
