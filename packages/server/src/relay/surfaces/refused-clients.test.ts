import { expect, setDefaultTimeout, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/** Clients with default settings, including retries, and how often they called. */
function clientsOf(url: string, apiKey: string) {
  let calls = 0
  const counting = Object.assign((...given: Parameters<typeof fetch>) => {
    calls++
    return fetch(...given)
  }, fetch)
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey, fetch: counting })
  const anthropic = new Anthropic({ baseURL: url, apiKey, fetch: counting })
  const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      () => {
        throw new Error('It was answered')
      },
      (error: unknown) => error,
    )
  return {
    callsSoFar: () => calls,
    chat: (model: string, stream: boolean) => refusal(openai.chat.completions.create({ model, messages, stream })),
    response: (model: string, stream: boolean) => refusal(openai.responses.create({ model, input: 'Hi', stream })),
    message: (model: string, stream: boolean) =>
      refusal(anthropic.messages.create({ model, messages, max_tokens: 64, stream })),
    content: (model: string, stream: boolean) =>
      refusal(
        stream
          ? google.models.generateContentStream({ model, contents: 'Hi' })
          : google.models.generateContent({ model, contents: 'Hi' }),
      ),
  }
}

const MODEL = 'gpt-4o-mini'

interface Refusal {
  name: string
  model?: string
  key?: string
  quota?: number
  /** The models that the key may use. */
  models?: string
  openai: new (...given: never[]) => Error
  anthropic: new (...given: never[]) => Error
  google: number
}

const REFUSALS: Refusal[] = [
  {
    name: 'an unknown model',
    model: 'gpt-4o-mimi',
    ...{ openai: OpenAI.NotFoundError, anthropic: Anthropic.NotFoundError, google: 404 },
  },
  {
    name: 'a wrong key',
    key: 'sk-nobody',
    ...{ openai: OpenAI.AuthenticationError, anthropic: Anthropic.AuthenticationError, google: 401 },
  },
  { name: 'no balance', quota: 0, openai: OpenAI.RateLimitError, anthropic: Anthropic.APIError, google: 429 },
  {
    name: 'a model that the key may not use',
    models: 'other',
    ...{ openai: OpenAI.PermissionDeniedError, anthropic: Anthropic.PermissionDeniedError, google: 403 },
  },
]

test.each(REFUSALS)('$name is the expected exception, after one call', async (row) => {
  const { app, key, channel, payer } = await relayFixture({ quota: row.quota ?? 1_000_000 })
  await channel(MODEL)
  if (row.models !== undefined) {
    const [token] = (await payer.client.get('/api/token/')).data
    await payer.client.put('/api/token/', { id: token.id, models: row.models })
    app.clock.pass(2)
  }
  const client = clientsOf(app.url, row.key ?? key)
  const model = row.model ?? MODEL
  for (const [turn, stream] of [false, true].entries()) {
    expect(await client.chat(model, stream)).toBeInstanceOf(row.openai)
    expect(await client.response(model, stream)).toBeInstanceOf(row.openai)
    const thrown = await client.message(model, stream)
    expect(thrown).toBeInstanceOf(row.anthropic)
    expect(thrown instanceof Anthropic.APIError && thrown.requestID).toMatch(/^[0-9a-f-]{36}$/)
    if (row.name === 'no balance') expect(thrown).toMatchObject({ status: 402, type: 'billing_error' })
    expect(client.callsSoFar()).toBe((turn + 1) * 3)
    const said = await client.content(model, stream)
    expect(said instanceof ApiError && said.status).toBe(row.google)
  }
})

test('each family lists models, and returns one, in its own format', async () => {
  const { app, key, channel } = await relayFixture()
  await channel('gpt-4o-mini,text-embedding-3-small')
  const openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: key })
  const anthropic = new Anthropic({ baseURL: app.url, apiKey: key })
  const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: app.url } })
  const names = ['gpt-4o-mini', 'text-embedding-3-small']

  expect((await openai.models.list()).data.map(({ id, object }) => [id, object])).toEqual(
    names.map((id) => [id, 'model']),
  )
  const page = await anthropic.models.list()
  expect([page.has_more, page.first_id, page.last_id]).toEqual([false, names[0] ?? '', names[1] ?? ''])
  expect(page.data.map(({ id, type, display_name }) => [id, type, display_name])).toEqual(
    names.map((id) => [id, 'model', id]),
  )
  const model = await anthropic.models.retrieve('gpt-4o-mini')
  expect(model).toMatchObject({ id: 'gpt-4o-mini', type: 'model', display_name: 'gpt-4o-mini' })
  expect(Number.isNaN(Date.parse(model.created_at))).toBe(false)

  const listed = await google.models.list()
  expect(
    listed.page.map(({ name, displayName, supportedActions }) => [name, displayName, supportedActions?.[0]]),
  ).toEqual([
    ['models/gpt-4o-mini', 'gpt-4o-mini', 'generateContent'],
    ['models/text-embedding-3-small', 'text-embedding-3-small', 'embedContent'],
  ])
  expect(await google.models.get({ model: 'gpt-4o-mini' })).toMatchObject({ name: 'models/gpt-4o-mini' })

  const raw = async (path: string, headers: Record<string, string> = {}) =>
    Object.keys(await (await fetch(app.url + path, { headers })).json())
  expect(await raw(`/v1beta/models?key=${key}`)).toEqual(['models'])
  expect(await raw('/v1beta/models', { 'x-goog-api-key': key })).toEqual(['models'])
  expect(await raw('/v1/models', { 'x-api-key': key })).toContain('has_more')
  expect(await raw('/v1/models', { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' })).toContain(
    'has_more',
  )
  expect(await raw('/v1/models', { authorization: `Bearer ${key}` })).toContain('object')
})

test('successful answers have the id that the family expects, too', async () => {
  const { post, channel } = await relayFixture()
  await channel(MODEL)
  for (const stream of [false, true]) {
    const message = await post('/v1/messages', { model: MODEL, messages: MESSAGES, max_tokens: 64, stream })
    expect(message.headers.get('request-id')).toBe(message.headers.get('x-request-id'))
    const chat = await post('/v1/chat/completions', { model: MODEL, messages: MESSAGES, stream })
    expect([chat.headers.has('x-request-id'), chat.headers.has('request-id')]).toEqual([true, false])
    await Promise.all([message.text(), chat.text()])
  }
})
