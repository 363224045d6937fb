import { expect, test } from 'bun:test'
import { errorFrame, fakeSpark, SPARK_KEY, type SparkScript } from '../../testing/fake-spark.ts'
import { ASKS_COST, readStream, relayFixture } from '../../testing/relay-fixture.ts'

const KEY = `${SPARK_KEY.appId}|${SPARK_KEY.secret}|${SPARK_KEY.apiKey}`
const PRICES = { options: { ModelRatio: '{"Spark-Max":1}', CompletionRatio: '{"Spark-Max":1}', RetryTimes: 1 } }

const speaks: SparkScript = (voice) => {
  voice.frame('Good', 0)
  voice.frame(' morning', 1)
  voice.frame('.', 2)
}

const fixture = async (script: SparkScript, { key = KEY } = {}) => {
  const spark = fakeSpark(script)
  const relay = await relayFixture(PRICES)
  const sparkChannel = await relay.channel('Spark-Max', { type: 18, base_url: spark.url, key })
  return { spark, sparkChannel, ...relay }
}

test('Spark is called over a signed WebSocket, whole and streamed, at the same cost', async () => {
  const { spark, chat, account, app } = await fixture(speaks)
  const whole = await chat('Spark-Max', { max_tokens: 99 })
  expect(whole.status).toBe(200)
  expect(await whole.json()).toMatchObject({
    choices: [{ message: { content: 'Good morning.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 3 },
  })
  const streamed = await readStream(await chat('Spark-Max', { stream: true }, ASKS_COST))
  expect(streamed).toMatchObject({ content: 'Good morning.', done: true, cost: { cost: 8 } })
  expect(spark.refused).toEqual([])
  expect(spark.seen.map(({ path }) => path)).toEqual(['/v3.5/chat', '/v3.5/chat'])
  expect(spark.seen[0]?.question).toMatchObject({
    header: { app_id: SPARK_KEY.appId },
    parameter: { chat: { domain: 'generalv3.5', max_tokens: 99 } },
    payload: { message: { text: [{ role: 'user', content: 'Hello there' }] } },
  })
  expect(await account()).toMatchObject({ used_quota: 16, held: 0 })
  expect(await app.audit()).toEqual([])
})

test('we close the socket after the last frame, even if Spark leaves it open', async () => {
  const left = Promise.withResolvers<void>()
  const { chat } = await fixture(async (voice, question) => {
    await speaks(voice, question)
    await voice.gone
    left.resolve()
  })
  expect((await chat('Spark-Max')).status).toBe(200)
  await left.promise
})

test('a refused signature is a failure of the channel, and the next one answers', async () => {
  const { spark, chat, channel, onlyLog } = await fixture(speaks, { key: 'app12345|wrong-secret|spark-api-key' })
  await channel('Spark-Max', { priority: -1 })
  const answer = await chat('Spark-Max')
  expect(answer.status).toBe(200)
  const reason = 'HMAC signature does not match'
  // Once for the socket, and once for the reason.
  expect(spark.refused).toEqual([reason, reason])
  expect((await onlyLog()).detail.attempts).toMatchObject([{ status: 401, error: reason }, { status: 200 }])
})

test('a code other than 0 is an error of its class, free of charge', async () => {
  const { chat, account, onlyLog } = await fixture((voice) => voice.raw(errorFrame(10013, '内容审核不通过')))
  const refused = await chat('Spark-Max', { stream: true })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: { code: '10013', message: expect.stringContaining('审核不通过') },
  })
  expect(await account()).toMatchObject({ used_quota: 0, held: 0 })
  expect((await onlyLog()).type).toBe(6)
})

test('an error frame after some words ends the stream with an error, and the words are charged', async () => {
  const { chat, account, onlyLog, app } = await fixture((voice) => {
    voice.frame('Good morning to you', 0)
    voice.raw(errorFrame(10012, 'engine failure'))
  })
  const { content, error } = await readStream(await chat('Spark-Max', { stream: true }))
  expect(content).toBe('Good morning to you')
  expect(error).toMatchObject({ message: expect.stringContaining('engine failure') })
  expect((await onlyLog()).detail).toMatchObject({ flag: 'partial', source: 'estimated' })
  const { used_quota, held } = await account()
  expect(used_quota).toBeGreaterThan(0)
  expect(held).toBe(0)
  expect(await app.audit()).toEqual([])
})

test.each([
  ['with a goodbye', (voice: Parameters<SparkScript>[0]) => voice.close()],
  ['without one', (voice: Parameters<SparkScript>[0]) => voice.cut()],
])('a socket that closes in mid-answer %s is not the end of an answer', async (_, leave) => {
  const { chat, onlyLog } = await fixture((voice) => {
    voice.frame('Good morning to you', 0)
    leave(voice)
  })
  const { content, error } = await readStream(await chat('Spark-Max', { stream: true }))
  expect(content).toBe('Good morning to you')
  expect(error).toMatchObject({ message: expect.stringContaining('broke off') })
  expect((await onlyLog()).detail).toMatchObject({ flag: 'partial' })
})

test('a client that disconnects closes the connection to Spark and pays for what was delivered', async () => {
  const left = Promise.withResolvers<void>()
  const { chat, atRest, onlyLog, app } = await fixture(async (voice) => {
    voice.frame('Good morning to you', 0)
    await voice.gone
    left.resolve()
  })
  const caller = new AbortController()
  const answer = await chat('Spark-Max', { stream: true }, { signal: caller.signal })
  await answer.body?.getReader().read()
  caller.abort()
  await left.promise
  await atRest()
  expect((await onlyLog()).detail).toMatchObject({ flag: 'client_abort' })
  expect(await app.audit()).toEqual([])
})

test('a silent Spark is given up by the watchdog', async () => {
  const { chat, app } = await fixture(async (voice) => {
    await voice.gone
  })
  const answer = chat('Spark-Max')
  while (app.parts.watchdog.running() === 0) await Bun.sleep(1)
  app.clock.pass(400)
  app.parts.watchdog.check()
  expect((await answer).status).toBe(504)
})

test('a channel test calls Spark like a call', async () => {
  const { root, sparkChannel } = await fixture(speaks)
  expect(await root.get(`/api/channel/test/${sparkChannel.id}`)).toMatchObject({ success: true })
})
