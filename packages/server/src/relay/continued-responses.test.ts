import { expect, setDefaultTimeout, test } from 'bun:test'
import OpenAI from 'openai'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { makeUser } from '../testing/makers.ts'
import { keyOf, relayGround } from '../testing/relay-ground.ts'

// Each starts a server and a database of its own, on machines that do other things too.
setDefaultTimeout(30_000)

const usage = { input_tokens: 5, output_tokens: 3 }
const NUMBERS = ['one', 'two', 'three', 'four']

/** A vendor that knows no Responses and keeps nothing, and OpenAI's client in front of it. */
async function ground() {
  const own = await relayGround()
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

test("OpenAI's client goes on from an earlier response on a channel that keeps nothing", async () => {
  const { openai, vendor } = await ground()
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

test('a response that was not kept, or is another user’s, is refused by OpenAI’s own code', async () => {
  const { openai, clientOf, app } = await ground()
  const { client } = await makeUser(app, { quota: 1_000_000 })
  const kept = await openai.responses.create({ model: MODEL, input: 'Hi' })
  const unkept = await openai.responses.create({ model: MODEL, input: 'Hi', store: false })
  const next = (own: OpenAI, id: string) =>
    own.responses.create({ model: MODEL, input: 'And?', previous_response_id: id }).catch((error: unknown) => error)
  const refusal = { status: 400, code: 'previous_response_not_found', param: 'previous_response_id' }
  expect(await next(openai, unkept.id)).toMatchObject(refusal)
  expect(await next(clientOf(await keyOf(client)), kept.id)).toMatchObject(refusal)
  app.clock.pass(60 * 60)
  expect(await next(openai, kept.id)).toMatchObject(refusal)
})

test('a response that would be made in the background, where nobody can fetch it, is refused and costs nothing', async () => {
  const { openai, channel, account, vendor } = await ground()
  await channel('gpt-5', { type: 1, base_url: vendor.url, key: 'k' })
  const asked = openai.responses.create({ model: 'gpt-5', input: 'Hi', background: true })
  expect(await asked.catch((error: unknown) => error)).toMatchObject({ status: 400, param: 'background' })
  expect(vendor.asked).toEqual([])
  expect((await account()).used_quota).toBe(0)
})
