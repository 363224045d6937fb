import { expect, test } from 'bun:test'
import { adapterSuite } from '../testing/adapter-suite.ts'
import { anAccess, CONVERSATION, encoded, fixturesOf, offered } from '../testing/vendor-kit.ts'
import { azure } from './azure.ts'

const chat = offered(azure, 'chat')
const openai = offered(azure, 'openai')
const recorded = fixturesOf(import.meta.url)
const BASE = 'https://mine.openai.azure.com'
const at = (version: string, more = {}) => anAccess({ baseUrl: BASE, other: version, ...more })

test('a deployment is found by the model’s name, in the channel’s API version', () => {
  const url = openai.url('chat/completions', at('2024-10-21'), 'gpt-4.1')
  expect(url).toBe(`${BASE}/openai/deployments/gpt-4.1/chat/completions?api-version=2024-10-21`)
  expect(openai.headers(at(''))).toEqual({ 'api-key': 'the-key' })
})

test('gpt-3.5 has Azure’s own name', () => {
  expect(openai.url('embeddings', at('2024-10-21'), 'gpt-3.5-turbo')).toContain('/deployments/gpt-35-turbo/')
})

test('the configured version takes precedence over the other field, and both over the default', () => {
  const version = (access: ReturnType<typeof at>) =>
    new URL(openai.url('chat/completions', access, 'm') ?? '').searchParams.get('api-version')
  expect(version(at('2024-06-01', { config: { api_version: '2025-01-01-preview' } }))).toBe('2025-01-01-preview')
  expect(version(at('2024-06-01'))).toBe('2024-06-01')
  expect(version(at(''))).toBe('2024-03-01-preview')
})

test('the undated API is OpenAI’s own', () => {
  expect(openai.url('responses', at('v1'), 'm')).toBe(`${BASE}/openai/v1/responses`)
  expect(openai.url('chat/completions', at('preview'), 'm')).toBe(
    `${BASE}/openai/v1/chat/completions?api-version=preview`,
  )
  const already = anAccess({ baseUrl: `${BASE}/openai/v1` })
  expect(openai.url('embeddings', already, 'm')).toBe(`${BASE}/openai/v1/embeddings`)
})

test('responses have no deployment in their URL, and older versions do not have them', () => {
  expect(openai.url('responses', at('2024-10-21'), 'm')).toBeUndefined()
  expect(openai.url('responses', at('2025-04-01-preview'), 'm')).toBe(
    `${BASE}/openai/responses?api-version=2025-04-01-preview`,
  )
})

test('behind Cloudflare’s gateway the usual path segments are left out', () => {
  const baseUrl = 'https://gateway.ai.cloudflare.com/v1/acc/mine/azure-openai/res'
  expect(openai.url('chat/completions', at('2024-10-21', { baseUrl }), 'gpt-4o')).toBe(
    `${baseUrl}/gpt-4o/chat/completions?api-version=2024-10-21`,
  )
})

test('what Azure does not offer has no URL', () => {
  expect(openai.url('moderations', at(''), 'm')).toBeUndefined()
  expect(openai.url('rerank', at(''), 'm')).toBeUndefined()
})

test('a name cannot escape from its path segment', () => {
  expect(openai.url('chat/completions', at('2024-10-21'), '../x?y')).toContain('/deployments/..%2Fx%3Fy/')
})

test('usage is requested only if the version supports it', async () => {
  const asked = async (other: string) =>
    (await encoded(chat, { stream: true }, { baseUrl: BASE, other })).body.stream_options
  expect(await asked('2024-10-21')).toEqual({ include_usage: true })
  expect(await asked('')).toBeUndefined()
  expect(await asked('v1')).toEqual({ include_usage: true })
})

test('the developer role is kept, and the token limit has the name that the model expects', async () => {
  const { body } = await encoded(chat, { model: 'o3-mini', maxTokens: 5, messages: CONVERSATION })
  expect(body.max_completion_tokens).toBe(5)
  expect(body.messages[1].role).toBe('developer')
})

const chunk = (body: object) => ({ event: '', data: JSON.stringify({ id: 'c', ...body }) })

adapterSuite({
  name: 'azure',
  chat,
  answers: { text: { whole: recorded.json('text'), events: recorded.sse('text'), tokens: { input: 20, output: 9 } } },
  silent: [chunk({ choices: [] })],
  failure: chunk({ error: { message: 'The server had an error', code: null } }),
})

test.each([
  [
    'https://mine.openai.azure.com',
    '2025-04-01-preview',
    'wss://mine.openai.azure.com/openai/realtime?api-version=2025-04-01-preview&deployment=gpt-realtime',
  ],
  ['https://mine.openai.azure.com', 'v1', 'wss://mine.openai.azure.com/openai/v1/realtime?model=gpt-realtime'],
  ['https://mine.openai.azure.com/openai/v1', '', 'wss://mine.openai.azure.com/openai/v1/realtime?model=gpt-realtime'],
])('realtime conversations of %s, version %p, are at %s', (baseUrl, other, url) => {
  expect(offered(azure, 'realtime').url(anAccess({ baseUrl, other }), 'gpt-realtime')).toBe(url)
})
