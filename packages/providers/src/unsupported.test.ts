import { describe, expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import type { ChatRequest } from './chat.ts'
import type { Provider } from './provider.ts'
import { providerOf } from './registry.ts'
import { aRequest, ENCODE_CONTEXT, FULL_ACCESS, failureFrom, PICTURE, WEATHER } from './testing/vendor-kit.ts'
import { type Parameter, refuseUnsupported } from './unsupported.ts'

/** A request with each feature that can be refused. */
const ASKING: Record<Parameter, Partial<ChatRequest>> = {
  temperature: { temperature: 0 },
  top_p: { topP: 0.5 },
  top_k: { topK: 1 },
  max_tokens: { maxTokens: 5 },
  stop: { stop: ['x'] },
  n: { n: 2 },
  seed: { seed: 0 },
  frequency_penalty: { frequencyPenalty: 1 },
  presence_penalty: { presencePenalty: 1 },
  logprobs: { logprobs: true },
  top_logprobs: { topLogprobs: 2 },
  user: { user: 'ada' },
  tools: { tools: [WEATHER] },
  tool_choice: { tools: [WEATHER], toolChoice: { name: 'weather' } },
  'tool_choice.required': { tools: [WEATHER, { ...WEATHER, name: 'clock' }], toolChoice: 'required' },
  parallel_tool_calls: { parallelToolCalls: false },
  response_format: { responseFormat: { type: 'json' } },
  'response_format.json_schema': { responseFormat: { type: 'json_schema', name: 'x', schema: {} } },
  reasoning_effort: { reasoning: { effort: 'high' } },
  audio: { audio: { voice: 'alloy', format: 'wav' } },
  image_url: { messages: [{ role: 'user', content: [PICTURE] }] },
  input_audio: { messages: [{ role: 'user', content: [{ type: 'audio', format: 'wav', base64: 'AAAA' }] }] },
  file: { messages: [{ role: 'user', content: [{ type: 'file', source: { id: 'f' } }] }] },
  'messages.tool.image_url': { messages: [{ role: 'tool', callId: '1', content: [PICTURE] }] },
}

/** What OpenAI's clients send by default, and values without effect. */
const DEFAULTS: Partial<ChatRequest> = {
  n: 1,
  logprobs: false,
  frequencyPenalty: 0,
  presencePenalty: 0,
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  responseFormat: { type: 'text' },
  stop: [],
}

test('a default value is not refused', () => {
  const refuse = Object.keys(ASKING).filter((name): name is Parameter => name in ASKING)
  expect(() => refuseUnsupported('Nobody', { refuse, drop: [] }, aRequest(DEFAULTS))).not.toThrow()
})

test.each(Object.entries(ASKING))('a requested feature is refused by name: %s', async (name, request) => {
  const refuse = [name].filter((known): known is Parameter => known in ASKING)
  const failure = await failureFrom(() => refuseUnsupported('Nobody', { refuse, drop: [] }, aRequest(request)))
  expect(failure).toMatchObject({
    status: 400,
    blame: 'request',
    code: 'unsupported_parameter',
    param: name.split('.')[0],
  })
  expect(failure.message).toContain(`'${name}'`)
})

const vendors = CHANNEL_TYPES.flatMap(({ value }) => providerOf(value) ?? []).filter(
  ({ chat, unsupported }) => chat !== undefined && unsupported !== undefined,
)

describe.each(vendors.map((vendor): [string, Provider] => [vendor.name, vendor]))('%s', (_, { chat, unsupported }) => {
  const { refuse = [], drop = [] } = unsupported ?? {}
  const encode = (request: Partial<ChatRequest>) =>
    chat?.encode(aRequest({ model: 'Spark-Max', ...request }), FULL_ACCESS, ENCODE_CONTEXT)

  test('refuses what it declares as refused', async () => {
    for (const name of refuse)
      expect(await failureFrom(() => encode(ASKING[name]))).toMatchObject({ param: name.split('.')[0] })
  })

  test('accepts and omits what it declares as dropped', async () => {
    for (const name of drop) await encode(ASKING[name])
    expect(drop.filter((name) => refuse.includes(name))).toEqual([])
  })
})
