import { describe, expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import type { ChatRequest } from './chat.ts'
import { type DialectName, dialects } from './dialects.ts'
import { VendorError } from './failure.ts'
import { droppedParameters, droppedTools, refuseUnsupportedFields } from './members.ts'
import { providerOf } from './registry.ts'
import { ENCODE_CONTEXT, FULL_ACCESS, failureFrom, withBody } from './testing/vendor-kit.ts'

/* Every dialect to every vendor: each field that a caller sends arrives, is refused by name, or is named in the log. */

const HELLO: Record<DialectName, object> = {
  'openai/chat': { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  'anthropic/messages': { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  'gemini/generate': { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  responses: { model: 'm', store: false, input: 'Hi' },
}

interface Member {
  dialect: DialectName
  body: object
  /** A pattern for what the vendor would see of it, in any place. */
  canary: string
  /** The name in the refusal or in the log. */
  name: string
}

const member = (dialect: DialectName, name: string, value: unknown, canary: string): Member => ({
  dialect,
  name,
  body: { [name]: value },
  canary,
})

const MEMBERS: Member[] = [
  member('openai/chat', 'service_tier', 'priority', '"priority"'),
  member('openai/chat', 'metadata', { berth: 'canary-7' }, 'canary-7'),
  member('openai/chat', 'verbosity', 'low', '"verbosity":"low"'),
  member('openai/chat', 'prompt_cache_key', 'canary-8', 'canary-8'),
  member('openai/chat', 'safety_identifier', 'canary-9', 'canary-9'),
  member('openai/chat', 'logit_bias', { 4242: -100 }, '4242'),
  member('openai/chat', 'prediction', { type: 'content', content: 'canary-1' }, 'canary-1'),
  member('openai/chat', 'something_new', 'canary-2', 'canary-2'),
  member('openai/chat', 'seed', 4243, '4243'),
  member('openai/chat', 'stop', ['canary-stop'], 'canary-stop'),
  // Spark accepts at most six.
  member('openai/chat', 'top_k', 43, '43|"top_k":6\\b'),
  member('openai/chat', 'frequency_penalty', 0.4243, '0.4243|1.21215'),
  member('openai/chat', 'web_search_options', { search_context_size: 'low' }, 'earch'),
  member('anthropic/messages', 'mcp_servers', [{ type: 'url', url: 'https://canary.example' }], 'canary.example'),
  member('anthropic/messages', 'context_management', { edits: [{ type: 'canary-3' }] }, 'canary-3'),
  member('anthropic/messages', 'speed', 'fast', '"fast"'),
  {
    ...{ dialect: 'anthropic/messages', name: 'web_search_20250305', canary: 'earch' },
    body: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
  },
  member('gemini/generate', 'safetySettings', [{ category: 'canary-4' }], 'canary-4'),
  member('gemini/generate', 'labels', { berth: 'canary-5' }, 'canary-5'),
  {
    ...{ dialect: 'gemini/generate', name: 'tools.googleSearch', canary: 'earch' },
    body: { tools: [{ googleSearch: {} }] },
  },
  member('responses', 'service_tier', 'flex', '"flex"'),
  member('responses', 'metadata', { berth: 'canary-6' }, 'canary-6'),
  member('responses', 'prompt_cache_key', 'canary-a', 'canary-a'),
  member('responses', 'truncation', 'auto', '"truncation"'),
  { dialect: 'responses', name: 'verbosity', canary: '"verbosity"', body: { text: { verbosity: 'low' } } },
  { dialect: 'responses', name: 'web_search', canary: 'earch', body: { tools: [{ type: 'web_search' }] } },
]

/** Models by which an adapter chooses its API. */
const MODELS: Record<string, string[]> = {
  openai: ['gpt-4o', 'gpt-5.1-codex'],
  azure: ['gpt-4o', 'gpt-5.1-codex'],
  vertex: ['gemini-2.5-pro', 'claude-opus-4-5', 'meta/llama-4'],
  aws: ['anthropic.claude-opus-4-5', 'amazon.nova-2-lite-v1:0'],
  spark: ['Spark-Max'],
}

const targets = CHANNEL_TYPES.flatMap(({ value }) => providerOf(value) ?? [])
  // A vendor whose service has ended refuses everything.
  .filter(({ chat, name }) => chat !== undefined && name !== 'palm')
  .flatMap((provider) => (MODELS[provider.name] ?? ['a-model']).map((model) => ({ provider, model })))

const isRefusalOf = (error: unknown, { name, dialect }: Member) =>
  error instanceof VendorError &&
  error.failure.status === 400 &&
  (error.failure.message.includes(`'${name}'`) ||
    (dialect === 'anthropic/messages' && /tools/.test(error.failure.message)))

describe.each(targets.map(({ provider, model }) => [provider.name, model, provider] as const))(
  '%s, %s',
  (_, model, provider) => {
    const target = { provider, access: FULL_ACCESS }

    test('nothing that a caller sends is dropped silently', async () => {
      const lost: string[] = []
      for (const own of MEMBERS) {
        try {
          const request: ChatRequest = dialects[own.dialect].parse({ ...HELLO[own.dialect], ...own.body }, { model })
          refuseUnsupportedFields(target, request)
          const encoded =
            provider.chat === undefined ? undefined : await provider.chat.encode(request, FULL_ACCESS, ENCODE_CONTEXT)
          const arrives = typeof encoded?.body === 'string' && new RegExp(own.canary).test(encoded.body)
          const named = [...droppedParameters(target, request), ...droppedTools(target, request)].includes(own.name)
          if (arrives === named) lost.push(`${own.dialect} ${own.name}: ${arrives ? 'arrives and is named' : 'lost'}`)
        } catch (error) {
          if (!isRefusalOf(error, own)) throw error
        }
      }
      expect(lost).toEqual([])
    })
  },
)

const ask = (type: number, model: string, dialect: DialectName, body: object) => {
  const provider = providerOf(type)
  if (provider?.chat === undefined) throw new Error('There is no such provider')
  const request = dialects[dialect].parse({ ...HELLO[dialect], ...body }, { model })
  refuseUnsupportedFields({ provider, access: FULL_ACCESS }, request)
  return withBody(provider.chat.encode(request, FULL_ACCESS, ENCODE_CONTEXT))
}

const [OPENAI, ANTHROPIC, GEMINI, BEDROCK] = [1, 14, 24, 33] as const

test('fields of a chat that Responses also have are placed where Responses have them', async () => {
  const { body } = await ask(OPENAI, 'gpt-5.1-codex', 'openai/chat', {
    service_tier: 'priority',
    metadata: { a: 'b' },
    verbosity: 'low',
    prompt_cache_key: 'k',
    prompt_cache_options: { mode: 'explicit' },
    web_search_options: { user_location: { type: 'approximate', approximate: { city: 'Brest' } } },
  })
  expect(body).toMatchObject({
    service_tier: 'priority',
    metadata: { a: 'b' },
    text: { verbosity: 'low' },
    prompt_cache_key: 'k',
    prompt_cache_options: { mode: 'explicit' },
    tools: [{ type: 'web_search', user_location: { type: 'approximate', city: 'Brest' } }],
  })
})

test('a search is requested in the vendor’s format, from every dialect', async () => {
  const searches: [DialectName, object][] = [
    ['openai/chat', { web_search_options: {} }],
    ['anthropic/messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['gemini/generate', { tools: [{ google_search: {} }] }],
    ['responses', { tools: [{ type: 'web_search_preview' }] }],
  ]
  for (const [dialect, body] of searches) {
    const toolsAt = async (type: number, model: string) => (await ask(type, model, dialect, body)).body.tools
    expect(await toolsAt(ANTHROPIC, 'claude-opus-4-5')).toEqual([{ type: 'web_search_20250305', name: 'web_search' }])
    expect(await toolsAt(GEMINI, 'gemini-2.5-pro')).toEqual([{ googleSearch: {} }])
    expect(await toolsAt(OPENAI, 'gpt-5.1-codex')).toEqual([{ type: 'web_search' }])
  }
})

test('a search that a vendor does not have is refused by name; one that clients merely offer is not', async () => {
  const refused = (dialect: DialectName, body: object) =>
    failureFrom(() => ask(BEDROCK, 'anthropic.claude-opus-4-5', dialect, body))
  expect(await refused('openai/chat', { web_search_options: {} })).toMatchObject({
    status: 400,
    param: 'web_search_options',
  })
  expect((await refused('anthropic/messages', { tools: [{ type: 'web_search_20250305' }] })).message).toContain(
    "'web_search_20250305'",
  )
  const { body } = await ask(BEDROCK, 'anthropic.claude-opus-4-5', 'responses', { tools: [{ type: 'web_search' }] })
  expect(body).not.toHaveProperty('toolConfig')
  // A search restricted to OpenAI's own vector stores must not become a web search elsewhere.
  const cached = { tools: [{ type: 'web_search', external_web_access: false }] }
  expect((await ask(ANTHROPIC, 'claude-opus-4-5', 'responses', cached)).body).not.toHaveProperty('tools')
})

test('a cache that should be prepared without an answer is refused where there is none, and passed on where there is', async () => {
  const prompt_cache_options = { prewarm: true }
  for (const [type, model] of [
    [BEDROCK, 'anthropic.claude-opus-4-5'],
    [ANTHROPIC, 'claude-opus-4-5'],
    [OPENAI, 'gpt-4o'],
  ] as const) {
    const failure = await failureFrom(() => ask(type, model, 'responses', { prompt_cache_options }))
    expect(failure).toMatchObject({ status: 400, param: 'prompt_cache_options' })
    expect(failure.message).toContain("'prompt_cache_options.prewarm'")
  }
  const { body } = await ask(OPENAI, 'gpt-5.1-codex', 'openai/chat', { prompt_cache_options })
  expect(body).toMatchObject({ prompt_cache_options })
  const idle = { prompt_cache_options: { prewarm: false } }
  expect((await ask(ANTHROPIC, 'claude-opus-4-5', 'responses', idle)).body).toHaveProperty('messages')
})

test("fields of other dialects reach OpenAI's chats, but no compatible vendor", async () => {
  const body = { service_tier: 'flex', prompt_cache_key: 'k', text: { verbosity: 'low' } }
  const chat = { service_tier: 'flex', prompt_cache_key: 'k', verbosity: 'low' }
  expect((await ask(OPENAI, 'gpt-4o', 'responses', body)).body).toMatchObject(chat)
  const deepseek = 36
  const imitator = (await ask(deepseek, 'deepseek-chat', 'responses', body)).body
  for (const name of Object.keys(chat)) expect(imitator).not.toHaveProperty(name)
  expect((await ask(deepseek, 'deepseek-chat', 'openai/chat', chat)).body).toMatchObject(chat)
})
