import { expect, test } from 'bun:test'
import OpenAI from 'openai'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

/* Client libraries with a part of their vendor's address in their code: the operator can only give them a host. */

test("what Groq's library and Azure's clients ask below /openai/v1 is answered as below /v1", async () => {
  const { app, key, channel, charges } = await relayFixture()
  await channel('gpt-4o')
  const client = new OpenAI({ baseURL: `${app.url}/openai/v1`, apiKey: key, maxRetries: 0 })
  const { choices } = await client.chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'hello' }],
  })
  expect(choices[0]?.finish_reason).toBe('stop')
  expect(await client.chat.completions.stream({ model: 'gpt-4o', messages: [] }).finalContent()).not.toBe('')
  expect((await client.responses.create({ model: 'gpt-4o', input: 'hello' })).status).toBe('completed')
  expect(await charges()).toHaveLength(3)
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['gpt-4o'])
  expect((await client.models.retrieve('gpt-4o')).id).toBe('gpt-4o')
  expect((await client.files.list()).data).toEqual([])
  const unknown = await client.models.retrieve('nobody').catch((error: unknown) => error)
  expect(unknown).toMatchObject({ status: 404, code: 'model_not_found' })
  const forgotten = await client.responses.retrieve('resp_1').catch((error: unknown) => error)
  expect(forgotten).toMatchObject({ status: 404 })
})

test.each(['/openai', '/openai/v1', '/openai/v1/threads', '/openai/v2/chat/completions'])(
  'nothing else below %s is served, and it is never a page',
  async (path) => {
    const { app, key } = await relayFixture()
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(app.url + path, { method, headers: { authorization: `Bearer ${key}` } })
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 404, body: { error: {} } })
    }
  },
)

test("Cohere's library reranks over a channel of any vendor that can", async () => {
  const vendor = fakeVendor(() => Response.json({ results: [{ index: 0, relevance_score: 0.5 }] }))
  const { post, channel, charges } = await relayFixture()
  await channel('rerank-v4', { type: 35, base_url: vendor.url })
  const answer = await post('/v2/rerank', { model: 'rerank-v4', query: 'which?', documents: ['a'], top_n: 1 })
  expect(await answer.json()).toMatchObject({ results: [{ index: 0, relevance_score: 0.5 }] })
  expect(await charges()).toHaveLength(1)
})

test.each(['/v2/chat', '/v2/embed', '/v2/rerank', '/v2/nothing'])(
  "the errors of %s have the format of Cohere's clients",
  async (path) => {
    const { app, post } = await relayFixture()
    const body = { model: 'command', messages: MESSAGES }
    const known = path === '/v2/rerank'
    const refused = await post(path, body)
    expect(refused.status).toBe(404)
    expect(await refused.json()).toEqual({
      id: expect.any(String),
      message: expect.stringContaining(known ? 'The model command does not exist' : `POST ${path}`),
    })
    const stranger = await post(path, body, { key: 'sk-nobody' })
    expect(stranger.status).toBe(known ? 401 : 404)
    expect(await stranger.json()).toHaveProperty('message')
    expect((await fetch(app.url + path)).headers.get('content-type')).toBe('application/json')
  },
)

test.each(['chat', 'generate', 'embed', 'tags', 'show', 'ps', 'pull'])(
  "Ollama's libraries learn at /api/%s where the gateway's API is",
  async (name) => {
    const { app } = await relayFixture()
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(`${app.url}/api/${name}`, { method, headers: { 'accept-language': 'en' } })
      const sentence = `Ollama's API is not offered (${method} /api/${name}): use OpenAI's, below /v1`
      expect({ status: answer.status, ...(await answer.json()) }).toEqual({
        ...{ status: 404, success: false, message: sentence, error: sentence },
      })
    }
  },
)
