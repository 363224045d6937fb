import { expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import type { AssistantContent } from '../chat.ts'
import type { OpenAiOperation, Provider } from '../provider.ts'
import { providerOf } from '../registry.ts'
import { anAccess, CONVERSATION, encoded, offered } from '../testing/vendor-kit.ts'
import { mistralCallId } from './mistral-call-id.ts'
import { strictAnswer } from './strict-answer.ts'
import * as vendors from './vendors.ts'

const urlOf = (vendor: Provider, operation: OpenAiOperation, baseUrl = vendor.baseUrl ?? '') =>
  offered(vendor, 'openai').url(operation, anAccess({ baseUrl }), 'm')

test('each vendor has its own path for the same operation', () => {
  expect(urlOf(vendors.openai, 'chat/completions')).toBe('https://api.openai.com/v1/chat/completions')
  expect(urlOf(vendors.minimax, 'chat/completions')).toBe('https://api.minimaxi.com/v1/text/chatcompletion_v2')
  expect(urlOf(vendors.doubao, 'embeddings')).toBe('https://ark.cn-beijing.volces.com/api/v3/embeddings')
  expect(urlOf(vendors.novita, 'chat/completions')).toBe('https://api.novita.ai/openai/v1/chat/completions')
  expect(urlOf(vendors.baiduV2, 'chat/completions')).toBe('https://qianfan.baidubce.com/v2/chat/completions')
  expect(urlOf(vendors.bailian, 'embeddings')).toBe('https://dashscope.aliyuncs.com/compatible-mode/v1/embeddings')
  expect(urlOf(vendors.generic, 'chat/completions', 'https://x.example/openai')).toBe(
    'https://x.example/openai/chat/completions',
  )
  expect(urlOf(vendors.geminiOpenAi, 'chat/completions')).toEndWith('/v1beta/openai/chat/completions')
})

test('a base URL that already has the prefix, or needs none, gets no second one', () => {
  expect(urlOf(vendors.custom, 'chat/completions', 'https://x.example/v1')).toBe(
    'https://x.example/v1/chat/completions',
  )
  expect(urlOf(vendors.openai, 'chat/completions', 'https://gateway.ai.cloudflare.com/v1/acc/gw/openai')).toBe(
    'https://gateway.ai.cloudflare.com/v1/acc/gw/openai/chat/completions',
  )
})

test('a base URL that ends in another version keeps it', () => {
  expect(urlOf(vendors.sparkHttp, 'chat/completions', 'https://spark-api-open.xf-yun.com/v2')).toBe(
    'https://spark-api-open.xf-yun.com/v2/chat/completions',
  )
  expect(urlOf(vendors.custom, 'chat/completions', 'https://ark.example/api/v3')).toBe(
    'https://ark.example/api/v3/chat/completions',
  )
})

test('the URLs of vendors added later', () => {
  const chats = [
    vendors.perplexity,
    vendors.fireworks,
    vendors.cerebras,
    vendors.vercel,
    vendors.huggingface,
    vendors.nvidia,
    vendors.deepinfra,
    vendors.lmStudio,
  ].map((vendor) => urlOf(vendor, 'chat/completions'))
  expect(chats).toEqual([
    'https://api.perplexity.ai/chat/completions',
    'https://api.fireworks.ai/inference/v1/chat/completions',
    'https://api.cerebras.ai/v1/chat/completions',
    'https://ai-gateway.vercel.sh/v1/chat/completions',
    'https://router.huggingface.co/v1/chat/completions',
    'https://integrate.api.nvidia.com/v1/chat/completions',
    'https://api.deepinfra.com/v1/openai/chat/completions',
    'http://localhost:1234/v1/chat/completions',
  ])
  expect(urlOf(vendors.vllm, 'chat/completions', 'http://gpu:8000')).toBe('http://gpu:8000/v1/chat/completions')
})

test('a model list is read in every vendor’s format', async () => {
  const { request, read } = offered(vendors.together, 'models')
  const asked = await request(anAccess({ baseUrl: 'https://api.together.xyz' }), 0)
  expect(asked.url).toBe('https://api.together.xyz/v1/models')
  expect(read([{ id: 'zai-org/GLM-5.3', object: 'model', type: 'chat' }, { note: 'no id' }])).toEqual([
    'zai-org/GLM-5.3',
  ])
  expect(read({ object: 'list', data: [{ id: 'gpt-5' }, {}, null] })).toEqual(['gpt-5'])
  expect(offered(vendors.geminiOpenAi, 'models').read({ data: [{ id: 'models/gemini-2.5-flash' }] })).toEqual([
    'gemini-2.5-flash',
  ])
  expect(read('<html>')).toEqual([])
})

test('responses are passed only to vendors that have them; for others they become chats', () => {
  expect(urlOf(vendors.openai, 'responses')).toBe('https://api.openai.com/v1/responses')
  expect(urlOf(vendors.deepseek, 'responses')).toBeUndefined()
  expect(urlOf(vendors.fastgpt, 'embeddings')).toBeUndefined()
})

test('every vendor of the dialect can be called with a translated request', async () => {
  for (const vendor of Object.values(vendors)) {
    const { url, headers, body } = await encoded(
      offered(vendor, 'chat'),
      { stream: true },
      { baseUrl: vendor.baseUrl ?? 'https://x.example' },
    )
    expect(url).toMatch(/^https?:\/\/.*(chat\/completions|chatcompletion_v2)$/)
    expect(headers.authorization).toBe('Bearer the-key')
    expect(body).toMatchObject({ model: 'a-model', stream: true, messages: [{ role: 'user', content: 'Hello' }] })
  }
})

test('Mistral gets ids in its own format, the same for a call and for its result', async () => {
  const { body } = await encoded(offered(vendors.mistral, 'chat'), { messages: CONVERSATION })
  const [call, result] = body.messages.slice(-2)
  expect(call.tool_calls[0].id).toMatch(/^[a-zA-Z0-9]{9}$/)
  expect(result.tool_call_id).toBe(call.tool_calls[0].id)
  expect(mistralCallId('gSIMJiOkT')).toBe('gSIMJiOkT')
  const ids = Array.from({ length: 1000 }, (_, index) => mistralCallId(`call_${index}`))
  expect(new Set(ids).size).toBe(1000)
})

test('answers that deviate from the dialect become readable for strict clients, whole and streamed', () => {
  const call = { id: 'gSIMJiOkT', function: { name: 'f', arguments: '{}' } }
  const blocks = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: 'Soon.' },
  ]
  const repaired = (...bodies: object[]) => {
    const repair = strictAnswer()
    return bodies.map((body) => {
      const own: Record<string, unknown> = structuredClone({ ...body })
      repair(own)
      return own.choices
    })
  }
  expect(
    repaired({ choices: [{ index: 0, message: { role: 'assistant', content: blocks, tool_calls: [call] } }] }),
  ).toEqual([
    [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Soon.',
          reasoning_content: 'Hm.',
          tool_calls: [{ ...call, type: 'function' }],
        },
      },
    ],
  ])
  const delta = (own: object) => ({ choices: [{ index: 0, delta: own }] })
  const second = { id: 'hTJNKjPlU', function: { name: 'f', arguments: '' } }
  const more = { function: { name: '', arguments: '{}' } }
  const type = 'function'
  expect(repaired(delta({ tool_calls: [call, second] }), delta({ tool_calls: [more] }), { choices: [] })).toEqual([
    [
      {
        index: 0,
        delta: {
          role: 'assistant',
          tool_calls: [
            { ...call, type, index: 0 },
            { ...second, type, index: 1 },
          ],
        },
      },
    ],
    [{ index: 0, delta: { tool_calls: [{ ...more, type, index: 1 }] } }],
    [],
  ])
})

test('a moderation that only lists categories says whether anything is flagged', () => {
  const repair = offered(vendors.mistral, 'openai').repair?.('moderations')
  const results = [{ categories: { pii: false, health: true } }, { categories: { pii: false } }, { flagged: true }]
  repair?.({ id: 'm', results })
  expect(results).toMatchObject([{ flagged: true }, { flagged: false }, { flagged: true }])
})

test('deltas of several calls without indexes are numbered by position', () => {
  const repair = strictAnswer()
  const numbers = (tool_calls: { index?: number; id?: string }[]) => {
    repair({ choices: [{ index: 0, delta: { tool_calls } }] })
    return tool_calls.map(({ index }) => index)
  }
  expect(numbers([{ id: 'a' }, { id: 'b' }])).toEqual([0, 1])
  expect(numbers([{}, {}])).toEqual([0, 1])
  expect(numbers([{}])).toEqual([1])
})

test('OpenRouter gets signed reasoning back as it showed it, and no vendor gets unsigned reasoning', async () => {
  const content: AssistantContent[] = [
    { type: 'reasoning', text: 'The tide first.', signature: 'tollgate/claude/EpQB' },
    { type: 'reasoning', text: '', redacted: 'closed' },
    { type: 'reasoning', text: 'mine', signature: 'tollgate/gemini/Eskg' },
    { type: 'text', text: 'Soon.' },
  ]
  const { body } = await encoded(offered(vendors.openrouter, 'chat'), { messages: [{ role: 'assistant', content }] })
  expect(body.messages[0].reasoning_details).toEqual([
    { type: 'reasoning.text', text: 'The tide first.', signature: 'EpQB', format: 'anthropic-claude-v1' },
    { type: 'reasoning.encrypted', data: 'closed', format: 'anthropic-claude-v1' },
  ])
})

test('OpenRouter gets the signatures of Google’s models back, each with its call', async () => {
  const call = (id: string) => ({ type: 'tool-call' as const, id, name: 'tide', arguments: '{}' })
  const content: AssistantContent[] = [
    { type: 'reasoning', text: 'The tide first.', signature: 'tollgate/claude/EpQB' },
    { type: 'reasoning', text: 'Then the moon.', signature: 'tollgate/gemini/Eskg' },
    call('tide_0'),
    call('tide_1'),
    { ...call('tide_2'), signature: 'tollgate/gemini/Q2Fs' },
  ]
  const { body } = await encoded(offered(vendors.openrouter, 'chat'), {
    model: 'google/gemini-3-pro-preview',
    messages: [{ role: 'assistant', content }],
  })
  expect(body.messages[0].reasoning_details).toEqual([
    { type: 'reasoning.encrypted', id: 'tide_0', data: 'Eskg', format: 'google-gemini-v1', index: 1 },
    { type: 'reasoning.encrypted', id: 'tide_2', data: 'Q2Fs', format: 'google-gemini-v1', index: 4 },
  ])
})

const balance = (vendor: Provider, ...bodies: unknown[]) =>
  offered(vendor, 'balance').read(bodies, anAccess({ baseUrl: vendor.baseUrl ?? '' }))
const accountUrls = (vendor: Provider) =>
  offered(vendor, 'balance')
    .requests(anAccess({ baseUrl: vendor.baseUrl ?? 'https://x.example' }), 1_767_225_600)
    .map(({ url }) => url)

test('OpenAI’s balance is the limit minus usage, since the start of the month or in a hundred days', () => {
  expect(accountUrls(vendors.custom)).toEqual([
    'https://x.example/v1/dashboard/billing/subscription',
    'https://x.example/v1/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-01-01',
    'https://x.example/v1/dashboard/billing/usage?start_date=2025-09-23&end_date=2026-01-01',
  ])
  const month = { total_usage: 250 }
  const days = { total_usage: 900 }
  expect(balance(vendors.openai, { has_payment_method: true, hard_limit_usd: 100 }, month, days)).toBe(97.5)
  expect(balance(vendors.openai, { has_payment_method: false, hard_limit_usd: 100 }, month, days)).toBe(91)
})

test('other vendors report it as a number, or report an error', () => {
  expect(balance(vendors.closeai, { total_available: 3.5 })).toBe(3.5)
  expect(balance(vendors.openaiSb, { data: { credit: '12345' } })).toBe(12_345)
  expect(balance(vendors.aiproxy, { success: true, data: { totalPoints: 42 } })).toBe(42)
  expect(balance(vendors.api2gpt, { total_remaining: 7 })).toBe(7)
  expect(balance(vendors.aigc2d, { total_available: 8 })).toBe(8)
  expect(balance(vendors.openrouter, { data: { total_credits: 10, total_usage: 2.5 } })).toBe(7.5)
  expect(
    balance(vendors.deepseek, {
      balance_infos: [
        { currency: 'USD', total_balance: '1' },
        { currency: 'CNY', total_balance: '110.00' },
      ],
    }),
  ).toBe(110)
  expect(balance(vendors.vercel, { balance: '95.50', total_used: '4.50' })).toBe(95.5)
  expect(() => balance(vendors.deepseek, { balance_infos: [{ currency: 'USD', total_balance: '1.50' }] })).toThrow(
    'The account holds 1.50 USD and no CNY',
  )
  const held = { code: 20000, data: { totalBalance: '88.8' } }
  expect(balance(vendors.siliconflow, held)).toBe(88.8)
  expect(() => balance({ ...vendors.siliconflow, baseUrl: 'https://api.siliconflow.com' }, held)).toThrow('88.8 USD')
  expect(() => balance(vendors.closeai, { error: 'no' })).toThrow('stated no balance')
  expect(accountUrls(vendors.openrouter)).toEqual(['https://openrouter.ai/api/v1/credits'])
  expect(accountUrls(vendors.deepseek)).toEqual(['https://api.deepseek.com/user/balance'])
})

test('parameters that a vendor refuses are dropped when they come from another dialect', async () => {
  const sent = async (vendor: Provider, model = 'a-model') =>
    (await encoded(offered(vendor, 'chat'), { model, topK: 40, user: 'ada' })).body
  for (const vendor of [vendors.openai, vendors.groq, vendors.xai, vendors.mistral, vendors.api2d]) {
    expect({ name: vendor.name, ...(await sent(vendor)) }).not.toHaveProperty('top_k')
  }
  expect(await sent(vendors.mistral)).not.toHaveProperty('user')
  expect(await sent(vendors.openai)).toMatchObject({ user: 'ada' })
  expect(await sent(vendors.together)).toMatchObject({ top_k: 40, user: 'ada' })
})

test('Mistral’s thinking that a client sends back becomes a block again', () => {
  const amend = (body: object) =>
    JSON.parse(offered(vendors.mistral, 'openai').amend?.('chat/completions', JSON.stringify(body)) ?? '')
  const call = { id: 'abcdefghi', type: 'function', function: { name: 'f', arguments: '{}' } }
  const block = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }
  const asked = { model: 'magistral', temperature: 0.5 }
  const user = { role: 'user', content: 'Hi' }
  const body = {
    ...asked,
    messages: [
      user,
      { role: 'assistant', content: 'Noon.', reasoning_content: 'Hm.' },
      { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [call] },
      { role: 'assistant', content: 'Yes.', reasoning_content: null },
    ],
  }
  expect(amend(body)).toEqual({
    ...asked,
    messages: [
      user,
      { role: 'assistant', content: [block, { type: 'text', text: 'Noon.' }] },
      { role: 'assistant', content: [block], tool_calls: [call] },
      { role: 'assistant', content: 'Yes.', prefix: true },
    ],
  })
  const plain = '{"model":"m" ,"messages":[]}'
  expect(offered(vendors.mistral, 'openai').amend?.('chat/completions', plain)).toBe(plain)
})

test('at every host of Responses but OpenAI, what only OpenAI has is translated', () => {
  const providers = CHANNEL_TYPES.flatMap(({ value }) => providerOf(value) ?? [])
  const elsewhere = providers.filter(
    ({ openai }) => openai?.takes?.({ tools: [{ type: 'namespace' }] }, 'responses') === false,
  )
  expect(new Set(elsewhere.map(({ name }) => name))).toEqual(
    new Set(['openrouter', 'groq', 'doubao', 'xai', 'fireworks', 'vercel', 'vllm', 'lm-studio']),
  )
  const plain = { tools: [{ type: 'function' }, { type: 'web_search' }], input: [{ type: 'function_call', name: 'f' }] }
  const foreign = [
    ...['custom', 'shell', 'local_shell', 'apply_patch', 'tool_search'].map((type) => ({ tools: [{ type }] })),
    ...['custom_tool_call', 'shell_call_output', 'additional_tools'].map((type) => ({ input: [{ type }] })),
    { input: [{ type: 'function_call', name: 'f', namespace: 'mcp__harbour' }] },
  ]
  for (const { openai } of elsewhere) {
    expect(openai?.takes?.(plain, 'responses')).toBe(true)
    expect(openai?.takes?.({ tools: [{ type: 'custom' }] }, 'chat/completions')).toBe(true)
    for (const body of foreign) expect(openai?.takes?.({ ...plain, ...body }, 'responses')).toBe(false)
  }
})

const asked = (...roles: string[]) => roles.map((role) => ({ role, content: `by ${role}` }))

test.each<[what: string, messages: object[], expected: object[]]>([
  [
    'a chat is left as it is',
    asked('system', 'user', 'assistant', 'user'),
    asked('system', 'user', 'assistant', 'user'),
  ],
  [
    'somebody who speaks after a tool waits for the model',
    asked('user', 'assistant', 'tool', 'tool', 'user'),
    [...asked('user', 'assistant', 'tool', 'tool'), { role: 'assistant', content: 'OK.' }, ...asked('user')],
  ],
  [
    'late instructions are the user’s',
    asked('user', 'assistant', 'system', 'user', 'system'),
    [
      ...asked('user', 'assistant'),
      { role: 'user', content: 'by system' },
      ...asked('user'),
      { role: 'user', content: 'by system' },
    ],
  ],
  [
    'so are those after a tool',
    asked('user', 'assistant', 'tool', 'developer'),
    [
      ...asked('user', 'assistant', 'tool'),
      { role: 'assistant', content: 'OK.' },
      { role: 'user', content: 'by developer' },
    ],
  ],
  [
    'the beginning of an answer is continued',
    asked('user', 'assistant'),
    [...asked('user'), { role: 'assistant', content: 'by assistant', prefix: true }],
  ],
])('Mistral gets messages in its order: %s', (_, messages, expected) => {
  const body = JSON.stringify({ model: 'm', messages })
  const amended = offered(vendors.mistral, 'openai').amend?.('chat/completions', body) ?? ''
  expect(JSON.parse(amended)).toEqual({ model: 'm', messages: expected })
})

test('Mistral gets none of the members with which clients send its answers back', () => {
  const echo = {
    refusal: null,
    annotations: [],
    audio: null,
    function_call: null,
    provider_specific_fields: {},
    name: 'm',
  }
  const messages = [...asked('user'), { ...asked('assistant')[0], ...echo }, ...asked('user')]
  const amended = offered(vendors.mistral, 'openai').amend?.('chat/completions', JSON.stringify({ messages })) ?? ''
  expect(JSON.parse(amended)).toEqual({ messages: asked('user', 'assistant', 'user') })
})
