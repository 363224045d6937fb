import { expect, setDefaultTimeout, test } from 'bun:test'
import OpenAI from 'openai'
import { testApp } from '../../testing/app.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { makeUser } from '../../testing/makers.ts'
import { redisServer } from '../../testing/outside/redis-server.ts'
import { keyOf, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const usage = { input_tokens: 5, output_tokens: 3 }
const NUMBERS = ['one', 'two', 'three', 'four']

/** A vendor without Responses that stores nothing, and OpenAI's client in front of it. */
async function fixture(overrides: { redisUrl?: string } = {}) {
  const own = await relayFixture(overrides)
  const vendor = fakeVendor(({ body }) => {
    const said = Object(body).messages.length
    const content = [{ type: 'text', text: `Message ${NUMBERS[said - 1]}.` }]
    return Response.json({ type: 'message', id: 'msg_v', role: 'assistant', content, stop_reason: 'end_turn', usage })
  })
  await own.channel('claude-opus-4-5', { type: 14, base_url: vendor.url, key: 'k' })
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${own.app.url}/v1`, maxRetries: 0 })
  return { ...own, vendor, clientOf, openai: clientOf(own.key) }
}

const MODEL = 'claude-opus-4-5'
const LOST = { status: 400, code: 'previous_response_not_found', param: 'previous_response_id' }

test("OpenAI's client continues an earlier response on a channel that stores nothing", async () => {
  const { openai, vendor } = await fixture()
  const first = await openai.responses.create({ model: MODEL, input: 'Hi' })
  expect(first).toMatchObject({ output_text: 'Message one.', store: true, previous_response_id: null })
  const second = await openai.responses.create({ model: MODEL, input: 'And?', previous_response_id: first.id })
  expect(second).toMatchObject({ output_text: 'Message three.', previous_response_id: first.id })
  expect(Object(vendor.asked[1]?.body).messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Message one.' }] },
    { role: 'user', content: [{ type: 'text', text: 'And?' }] },
  ])
})

test('a response that was not stored, or belongs to another user, is refused with OpenAI’s own code', async () => {
  const { openai, clientOf, app } = await fixture()
  const { client } = await makeUser(app, { quota: 1_000_000 })
  const kept = await openai.responses.create({ model: MODEL, input: 'Hi' })
  const unkept = await openai.responses.create({ model: MODEL, input: 'Hi', store: false })
  const next = (own: OpenAI, id: string) =>
    own.responses.create({ model: MODEL, input: 'And?', previous_response_id: id }).catch((error: unknown) => error)
  expect(await next(openai, unkept.id)).toMatchObject(LOST)
  expect(await next(clientOf(await keyOf(client)), kept.id)).toMatchObject(LOST)
  app.clock.pass(60 * 60)
  expect(await next(openai, kept.id)).toMatchObject(LOST)
})

test('a background response is refused if no vendor supports it, and costs nothing', async () => {
  const { openai, channel, account, vendor } = await fixture()
  await channel('grok-4', { type: 45, base_url: vendor.url, key: 'k' })
  const asked = openai.responses.create({ model: 'grok-4', input: 'Hi', background: true })
  expect(await asked.catch((error: unknown) => error)).toMatchObject({
    ...{ status: 400, message: expect.stringContaining('omit background') },
  })
  expect(vendor.asked).toEqual([])
  expect((await account()).used_quota).toBe(0)
})

/** The same gateway on a second node, with OpenAI's client in front of it. */
async function secondNode({ app, key }: { app: { location: string }; key: string }, redisUrl?: string) {
  const other = await testApp({ location: app.location, ...(redisUrl !== undefined && { redisUrl }) })
  return { other, there: new OpenAI({ apiKey: key, baseURL: `${other.url}/v1`, maxRetries: 0 }) }
}

/** The id of a streamed response, once its last event has arrived. */
async function streamed(node: OpenAI, asked: { model: string; input: string }) {
  for await (const event of await node.responses.create({ ...asked, stream: true })) {
    if (event.type === 'response.completed') return event.response.id
  }
  throw new Error('The stream did not complete')
}

test('with Redis a conversation continues on another node, and Redis cannot read its content', async () => {
  const redis = await redisServer()
  const here = await fixture({ redisUrl: redis.url })
  const { other, there } = await secondNode(here, redis.url)
  await Promise.all([here.app.logged('Redis answers'), other.logged('Redis answers')])
  let previous: string | undefined
  for (const [index, node] of [here.openai, there, here.openai, there].entries()) {
    const named = previous === undefined ? {} : { previous_response_id: previous }
    const asked = { model: MODEL, input: `Say the number ${index}`, ...named }
    // Whole and streamed alternately.
    previous = index % 2 === 0 ? (await node.responses.create(asked)).id : await streamed(node, asked)
  }
  const said = here.vendor.asked.map(({ body }) => Object(body).messages.length)
  expect(said).toEqual([1, 3, 5, 7])

  const kept = await redis.contents()
  expect(kept).toHaveLength(8)
  // Longer than encrypted text could contain by chance.
  expect(kept.join()).not.toMatch(/the number|"message"|"resp_|"msg_/)
})

test('with Redis an item answered by another node can be referenced by its caller, for an hour', async () => {
  const redis = await redisServer()
  const here = await fixture({ redisUrl: redis.url })
  const { other, there } = await secondNode(here, redis.url)
  await Promise.all([here.app.logged('Redis answers'), other.logged('Redis answers')])
  const first = await here.openai.responses.create({ model: MODEL, input: 'Hi' })
  const reference = { type: 'item_reference' as const, id: first.output[0]?.id ?? '' }
  const user = (content: string) => ({ role: 'user' as const, content })
  const asked = { model: MODEL, input: [user('Hi'), reference, user('And?')] }
  await there.responses.create(asked)
  expect(Object(here.vendor.asked[1]?.body).messages).toHaveLength(3)

  const { client } = await makeUser(here.app, { quota: 1_000_000 })
  const stranger = new OpenAI({ apiKey: await keyOf(client), baseURL: `${other.url}/v1`, maxRetries: 0 })
  expect(await stranger.responses.create(asked).catch((error: unknown) => error)).toMatchObject({ status: 400 })
  other.clock.pass(60 * 60)
  expect(await there.responses.create(asked).catch((error: unknown) => error)).toMatchObject({ status: 400 })
})

test('without Redis, or while it hangs, another node refuses what it cannot know, and this one keeps working', async () => {
  const redis = await redisServer()
  const here = await fixture({ redisUrl: redis.url })
  const { other, there } = await secondNode(here, redis.url)
  const alone = await secondNode(here)
  await Promise.all([here.app.logged('Redis answers'), other.logged('Redis answers')])
  const first = await here.openai.responses.create({ model: MODEL, input: 'Hi' })
  const next = (node: OpenAI) =>
    node.responses
      .create({ model: MODEL, input: 'And?', previous_response_id: first.id })
      .catch((error: unknown) => error)
  expect(await next(alone.there)).toMatchObject(LOST)
  redis.hang()
  expect(await next(there)).toMatchObject(LOST)
  expect(await next(here.openai)).toMatchObject({ output_text: 'Message three.' })
})
