import { expect, test } from 'bun:test'
import { adapterSuite } from '../testing/adapter-suite.ts'
import {
  anAccess,
  CONVERSATION,
  encoded,
  failureFrom,
  fixturesOf,
  MOMENT,
  offered,
  withBody,
} from '../testing/vendor-kit.ts'
import { cloudflare } from './cloudflare.ts'

const chat = offered(cloudflare, 'chat')
const openai = offered(cloudflare, 'openai')
const images = offered(cloudflare, 'images')
const models = offered(cloudflare, 'models')
const recorded = fixturesOf(import.meta.url)
const ACCOUNT = { baseUrl: 'https://api.cloudflare.com', config: { user_id: 'acc' } }
const GATEWAY = { baseUrl: 'https://gateway.ai.cloudflare.com/v1/acc/mine/workers-ai' }
const MODEL = '@cf/black-forest-labs/flux-1-schnell'

test('the account is in the address, or in that of the gateway', () => {
  const url = (access: object) => openai.url('chat/completions', anAccess(access), '@cf/meta/llama-3')
  expect(url(ACCOUNT)).toBe('https://api.cloudflare.com/client/v4/accounts/acc/ai/v1/chat/completions')
  expect(url(GATEWAY)).toBe('https://gateway.ai.cloudflare.com/v1/acc/mine/workers-ai/v1/chat/completions')
  expect(url({ baseUrl: `${GATEWAY.baseUrl}/v1` })).toBe(url(GATEWAY))
  const compat = 'https://gateway.ai.cloudflare.com/v1/acc/mine/compat'
  expect(url({ baseUrl: compat })).toBe(`${compat}/chat/completions`)
  expect(openai.url('moderations', anAccess(ACCOUNT), 'x')).toBeUndefined()
  expect(openai.url('responses', anAccess(ACCOUNT), '@cf/meta/llama-3')).toBeUndefined()
  expect(openai.url('responses', anAccess(ACCOUNT), '@cf/openai/gpt-oss-20b')).toEndWith('/ai/v1/responses')
  expect(openai.headers(anAccess())).toEqual({ authorization: 'Bearer the-key' })
})

test('a channel without an account says so', async () => {
  expect(await failureFrom(() => openai.url('embeddings', anAccess(), 'x'))).toMatchObject({
    blame: 'channel',
    code: 'missing_account_id',
  })
})

test('a conversation of another dialect is said in OpenAI’s', async () => {
  const { url, body } = await encoded(chat, { messages: CONVERSATION, stream: true }, ACCOUNT)
  expect(url).toEndWith('/accounts/acc/ai/v1/chat/completions')
  expect(body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  expect(body.messages[1]).toEqual({ role: 'system', content: 'Use tools.' })
})

test('a picture is run, not asked for in OpenAI’s dialect', async () => {
  const order = { model: MODEL, prompt: 'a cat', n: 1, size: '512x768', extra: {} }
  const { url, body } = await withBody(images.encode(order, anAccess(ACCOUNT), MOMENT))
  expect(url).toBe(`https://api.cloudflare.com/client/v4/accounts/acc/ai/run/${MODEL}`)
  expect(body).toEqual({ prompt: 'a cat', width: 512, height: 768 })
  const behind = await withBody(images.encode(order, anAccess(GATEWAY), MOMENT))
  expect(behind.url).toBe(`${GATEWAY.baseUrl}/${MODEL}`)
  expect(images.decode({ result: { image: 'aGk=' }, success: true }).images).toEqual([{ b64: 'aGk=' }])
  expect(await failureFrom(() => images.encode({ ...order, n: 2 }, anAccess(ACCOUNT), MOMENT))).toMatchObject({
    param: 'n',
  })
})

test('the models are searched for', async () => {
  expect((await models.request(anAccess(ACCOUNT), 0)).url).toContain('/accounts/acc/ai/models/search?')
  expect(models.read({ success: true, result: [{ id: 'x', name: MODEL }] })).toEqual([MODEL])
})

test('the API’s own refusals are classed by their code', () => {
  const explained = (status: number, code: number) =>
    cloudflare.explain(status, JSON.stringify({ success: false, errors: [{ code, message: 'no' }] }), new Headers())
  expect(explained(429, 3036)).toMatchObject({ class: 'quota', message: 'no', code: '3036' })
  expect(explained(400, 5007)).toMatchObject({ class: 'client', status: 400 })
  expect(explained(401, 10000)).toMatchObject({ class: 'auth' })
})

const chunk = (body: object) => ({ event: '', data: JSON.stringify({ id: 'c', ...body }) })

adapterSuite({
  name: 'cloudflare',
  chat,
  answers: { text: { whole: recorded.json('text'), events: recorded.sse('text'), tokens: { input: 12, output: 6 } } },
  silent: [chunk({ choices: [] })],
  failure: chunk({ error: { message: 'The server had an error', code: null } }),
})
