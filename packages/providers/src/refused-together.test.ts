import { expect, test } from 'bun:test'
import type { ChatRequest } from './chat.ts'
import { VendorError } from './failure.ts'
import type { Fields } from './json.ts'
import { fieldsOf, listOf } from './json.ts'
import { droppedParameters } from './members.ts'
import { providerOf } from './registry.ts'
import { aRequest, encoded, FULL_ACCESS, offered } from './testing/vendor-kit.ts'

/*
 * What models refuse, alone or together, by the errors that their vendors send. Every combination of settings that a caller of another
 * dialect may ask for has to be accepted by each of them.
 */

interface Refusing {
  type: number
  model: string
  complaint(body: Fields): string | false
}

const configOf = (body: Fields) => fieldsOf(body.generationConfig)
const callingMode = (body: Fields) => fieldsOf(fieldsOf(body.toolConfig).functionCallingConfig).mode
const hasPenalty = (body: Fields) => ['frequencyPenalty', 'presencePenalty'].some((name) => name in configOf(body))
const isJson = (body: Fields) => configOf(body).responseMimeType === 'application/json'

const gemini25 = (body: Fields) =>
  (hasPenalty(body) && 'Penalty is not enabled for models/gemini-2.5-pro') ||
  (isJson(body) && body.tools !== undefined && 'Tool use with a response mime type is unsupported')

const gemini3 = (body: Fields) =>
  (hasPenalty(body) && 'Penalty is not enabled for models/gemini-3.7-flash') ||
  (isJson(body) && callingMode(body) === 'ANY' && 'Forced function calling with a response mime type is unsupported')

const SAMPLING = ['temperature', 'top_p', 'topP']
function thinksAlways(choice: Fields, settings: Fields) {
  const isForced = 'any' in choice || 'tool' in choice || choice.type === 'any' || choice.type === 'tool'
  if (isForced) return 'tool_choice: type "tool" and "any" are not supported for this model.'
  return SAMPLING.some((name) => name in settings) && '`temperature` is deprecated for this model.'
}

const converse = (own: (settings: Fields, more: Fields) => string | false) => (body: Fields) =>
  own(fieldsOf(body.inferenceConfig), fieldsOf(body.additionalModelRequestFields))

const nova = converse((settings, { reasoningConfig }) => {
  if (reasoningConfig === undefined) return false
  if (SAMPLING.some((name) => name in settings)) return 'temperature must be unset when reasoning is enabled'
  return fieldsOf(reasoningConfig).maxReasoningEffort === 'high' && 'maxTokens' in settings && 'maxTokens must be unset'
})

const gpt = converse((settings, more) =>
  ['temperature', 'topP', 'stopSequences'].some((name) => name in settings)
    ? "This model doesn't support the temperature field."
    : Object.keys(more).length > 0 && 'Unknown parameter',
)

const groq = (body: Fields) =>
  body.tools !== undefined &&
  body.response_format !== undefined &&
  'json mode cannot be combined with tool/function calling'

/** By the errors of OpenAI, which list them. */
const wordsOf = (model: string) => {
  if (/^o\d/.test(model)) return ['low', 'medium', 'high']
  const [, version = '', kind = ''] = /^gpt-([\d.]+)(?:-(codex-max|codex|pro))?/.exec(model) ?? []
  if (version === '5') return kind === 'pro' ? ['high'] : ['minimal', 'low', 'medium', 'high']
  const none = kind === '' ? ['none'] : []
  const least = kind === 'pro' ? [] : ['low']
  const most = Number(version) >= 5.6 ? ['xhigh', 'max'] : version >= '5.2' || kind === 'codex-max' ? ['xhigh'] : []
  return [...none, ...least, 'medium', 'high', ...most]
}

/** Chats and Responses. */
const openai = (thinksByItself: boolean) => (body: Fields) => {
  const effort = body.reasoning_effort ?? fieldsOf(body.reasoning).effort
  if (effort !== undefined && !wordsOf(String(body.model)).includes(String(effort)))
    return `Unsupported value: '${effort}' is not supported with this model.`
  const isThinking = effort === undefined ? thinksByItself : effort !== 'none'
  if (!isThinking) return false
  const name = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty'].find((one) => one in body)
  if (name !== undefined) return `Unsupported parameter: '${name}' is not supported with this model.`
  const refusesTools = /gpt-(5\.[4-9]|6)/.test(String(body.model)) && 'messages' in body && body.stop === undefined
  return refusesTools && body.tools !== undefined && 'Function tools with reasoning_effort are not supported'
}

const kimi = (body: Fields) => {
  const isFixed = [...SAMPLING, 'presence_penalty', 'frequency_penalty'].some((name) => name in body)
  if (isFixed) return 'invalid temperature: only 1 is allowed for this model'
  return /k3/.test(String(body.model)) && /none|minimal/.test(String(body.reasoning_effort)) && 'thinking is required'
}
const groqWords = (body: Fields) => {
  const { model, reasoning_effort: effort } = body
  if (effort === undefined) return groq(body)
  const words = /qwen/.test(String(model)) ? ['none', 'default'] : ['low', 'medium', 'high']
  return words.includes(String(effort)) ? groq(body) : `reasoning_effort must be one of ${words}`
}
const groqPlain = (body: Fields) =>
  'reasoning_effort' in body ? 'reasoning_effort is not supported with this model' : groq(body)
const takes =
  (...words: string[]) =>
  ({ reasoning_effort: effort, top_k }: Fields) =>
    (top_k !== undefined && "property 'top_k' is unsupported") ||
    (effort !== undefined && !words.includes(String(effort)) && `Input should be one of ${words}`)
const switched = ({ reasoning_effort: effort }: Fields) => effort === 'none' && 'unknown variant `none`'
const plain = (body: Fields) => 'reasoning_effort' in body && 'Unrecognized request argument supplied: reasoning_effort'
const mistral = (body: Fields) => 'reasoning_effort' in body && 'reasoning_effort is not enabled for this model'
const mistralLevels = ({ reasoning_effort: effort = 'none' }: Fields) =>
  effort !== 'none' && effort !== 'high' && 'reasoning_effort is not supported, supported values: [high, none]'
const ollama = ({ think, model }: Fields) => think === true && `"${model}" does not support thinking`

const MODELS: Refusing[] = [
  ...['gpt-4o', 'gpt-4.1-mini', 'gpt-5-chat-latest', 'chatgpt-4o-latest'].map((model) => ({
    ...{ type: 1, model, complaint: plain },
  })),
  { type: 29, model: 'llama-3.3-70b-versatile', complaint: plain },
  { type: 29, model: 'meta-llama/llama-4-scout', complaint: plain },
  ...['mistral-large-latest', 'codestral-latest', 'ministral-8b-latest', 'mistral-medium-2508'].map((model) => ({
    ...{ type: 28, model, complaint: mistral },
  })),
  ...['mistral-small-latest', 'mistral-medium-3-5', 'mistral-small-2603'].map((model) => ({
    ...{ type: 28, model, complaint: mistralLevels },
  })),
  ...['qwen2.5-coder:7b', 'qwen3-coder:30b', 'llama3.3', 'gemma3:12b', 'registry/me/mistral-small:24b'].map(
    (model) => ({
      ...{ type: 30, model, complaint: ollama },
    }),
  ),
  ...[
    'gpt-5',
    'gpt-5-mini-2025-08-07',
    'gpt-5.5',
    'gpt-5.6-luna',
    'gpt-6-sol',
    'o3',
    'o4-mini',
    'gpt-5.1-codex',
    'gpt-5.1-codex-max',
    'gpt-5-pro',
    'gpt-5.4-pro',
  ].map((model) => ({ type: 1, model, complaint: openai(true) })),
  ...['gpt-5.1', 'gpt-5.2', 'gpt-5.4-mini'].map((model) => ({ type: 1, model, complaint: openai(false) })),
  ...['kimi-k2.5', 'kimi-k2.6', 'kimi-k2.7-code', 'kimi-k3', 'kimi-k3.1-pro'].map((model) => ({
    ...{ type: 25, model, complaint: kimi },
  })),
  { type: 24, model: 'gemini-2.5-pro', complaint: gemini25 },
  { type: 24, model: 'gemini-2.0-flash', complaint: (body) => !hasPenalty(body) && gemini25(body) },
  { type: 24, model: 'gemini-3.7-flash', complaint: gemini3 },
  { type: 42, model: 'gemini-2.5-flash', complaint: gemini25 },
  ...['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-fable-5-1', 'claude-mythos-5-1'].flatMap((model) => [
    { type: 14, model, complaint: (body: Fields) => thinksAlways(fieldsOf(body.tool_choice), body) },
    {
      ...{ type: 33, model: `us.anthropic.${model}-v1:0` },
      complaint: (body: Fields) =>
        thinksAlways(fieldsOf(fieldsOf(body.toolConfig).toolChoice), fieldsOf(body.inferenceConfig)),
    },
  ]),
  ...['openai/gpt-oss-20b', 'qwen/qwen3-32b', 'qwen/qwen3.6-27b'].map((model) => ({
    ...{ type: 29, model, complaint: groqWords },
  })),
  { type: 29, model: 'moonshotai/kimi-k2-instruct-0905', complaint: groqPlain },
  ...['grok-4-0709', 'grok-4-1-fast-reasoning', 'grok-4.20-0309-reasoning'].map((model) => ({
    ...{ type: 45, model, complaint: takes() },
  })),
  { type: 45, model: 'grok-3-mini', complaint: takes('low', 'high') },
  { type: 45, model: 'grok-4.3', complaint: takes('none', 'low', 'medium', 'high') },
  { type: 45, model: 'grok-4.5', complaint: takes('low', 'medium', 'high') },
  ...['grok-4.6', 'grok-4.20-multi-agent-0309'].map((model) => ({
    ...{ type: 45, model, complaint: takes('low', 'medium', 'high', 'xhigh') },
  })),
  { type: 54, model: 'gpt-oss-120b', complaint: takes('low', 'medium', 'high') },
  { type: 54, model: 'zai-glm-4.7', complaint: takes('none', 'low', 'medium', 'high') },
  { type: 36, model: 'deepseek-v4-pro', complaint: switched },
  { type: 25, model: 'kimi-k2.6', complaint: switched },
  { type: 33, model: 'us.amazon.nova-2-lite-v1:0', complaint: nova },
  { type: 33, model: 'us.openai.gpt-5.6-v1:0', complaint: gpt },
]

const tool = (name: string) => ({ name, parameters: { type: 'object', properties: { port: { type: 'string' } } } })
const schema = { type: 'object', properties: { tide: { type: 'string' } } }

const CHOICES: Partial<ChatRequest>[] = [
  {},
  ...(['auto', 'none', 'required', { name: 'tide' }] as const).flatMap((toolChoice) => [
    { tools: [tool('tide')], toolChoice },
    { tools: [tool('tide'), tool('moon')], toolChoice },
  ]),
]
const FORMATS: Partial<ChatRequest>[] = [
  {},
  { responseFormat: { type: 'json' } },
  { responseFormat: { type: 'json_schema', name: 'tide', schema } },
]
const SETTINGS: Partial<ChatRequest>[] = [
  {},
  { temperature: 0.2, topP: 0.9, topK: 40, stop: ['END'], frequencyPenalty: 0.1, presencePenalty: 0 },
  { maxTokens: 900, temperature: 1 },
]
const EFFORTS: Partial<ChatRequest>[] = ['none', 'minimal', 'low', 'high', 'xhigh', 'max'].map((effort) => ({
  reasoning: { effort },
}))

const combinations = CHOICES.flatMap((choice) =>
  FORMATS.flatMap((format) =>
    SETTINGS.flatMap((settings) =>
      [{}, ...EFFORTS].map((effort) => ({ ...choice, ...format, ...settings, ...effort })),
    ),
  ),
)

const providerAt = (type: number) => {
  const provider = providerOf(type)
  if (provider === undefined) throw new Error(`No provider ${type}`)
  return provider
}

test.each(MODELS)('$model (type $type) gets nothing that it refuses', async ({ type, model, complaint }) => {
  const chat = offered(providerAt(type), 'chat')
  const refused: object[] = []
  for (const combination of combinations) {
    // Our own refusal names the parameter.
    const named = (error: unknown) => (error instanceof VendorError ? { body: {} } : Promise.reject(error))
    const { body } = await encoded(chat, { model, ...combination }, FULL_ACCESS).catch(named)
    const words = complaint(fieldsOf(body))
    if (words !== false) refused.push({ words, combination })
  }
  expect(refused).toEqual([])
})

const lost = (type: number, more: Partial<ChatRequest>) =>
  droppedParameters({ provider: providerAt(type), access: FULL_ACCESS }, aRequest(more))

test.each([
  [36, 'deepseek-v4-flash'],
  [25, 'kimi-k2.6'],
])('on channels of type %d, %s is told not to think in its own words', async (type, model) => {
  const chat = offered(providerAt(type), 'chat')
  const { body } = await encoded(chat, { model, reasoning: { effort: 'none' } })
  expect(body).toMatchObject({ thinking: { type: 'disabled' } })
  const { body: thinks } = await encoded(chat, { model, reasoning: { effort: 'high' } })
  expect([thinks.thinking, thinks.reasoning_effort]).toEqual([undefined, 'high'])
})

test('what a model does not get is named in the log', () => {
  const sampling = { temperature: 0.2, topP: 0.9, stop: ['END'] }
  const forced = { tools: [tool('tide'), tool('moon')], toolChoice: 'required' as const }
  expect(lost(24, { model: 'gemini-2.5-pro', frequencyPenalty: 0.5 })).toEqual(['frequency_penalty'])
  expect(lost(24, { model: 'gemini-2.5-pro', frequencyPenalty: 0 })).toEqual([])
  const effort = { reasoning: { effort: 'high' } }
  expect(lost(1, { model: 'gpt-4o', ...effort })).toEqual(['reasoning_effort'])
  expect(lost(1, { model: 'gpt-4o', reasoning: { effort: 'none' } })).toEqual([])
  expect(lost(28, { model: 'mistral-large-latest', ...effort })).toEqual(['reasoning_effort'])
  expect(lost(28, { model: 'mistral-small-latest', ...effort })).toEqual([])
  expect(lost(30, { model: 'llama3.3', ...effort })).toEqual(['reasoning_effort'])
  expect(lost(30, { model: 'qwen3:8b', ...effort })).toEqual([])
  expect(lost(1, { model: 'gpt-5', ...sampling, frequencyPenalty: 0 })).toEqual(['temperature', 'top_p'])
  expect(lost(1, { model: 'gpt-5', temperature: 1, topP: 1 })).toEqual([])
  expect(lost(1, { model: 'gpt-5.4', temperature: 0.2 })).toEqual([])
  expect(lost(1, { model: 'gpt-5.4', temperature: 0.2, reasoning: { effort: 'low' } })).toEqual(['temperature'])
  expect(lost(25, { model: 'kimi-k3', ...sampling })).toEqual(['temperature', 'top_p'])
  expect(lost(25, { model: 'moonshot-v1-8k', ...sampling })).toEqual([])
  expect(lost(14, { model: 'claude-opus-5-5', ...forced })).toEqual(['tool_choice'])
  expect(lost(14, { model: 'claude-opus-5', ...forced })).toEqual([])
  expect(lost(33, { model: 'us.openai.gpt-5.6-v1:0', ...sampling })).toEqual(['temperature', 'top_p', 'stop'])
  const thinking = { model: 'us.amazon.nova-2-lite-v1:0', reasoning: { effort: 'low' } }
  expect(lost(33, { ...thinking, ...sampling })).toEqual(['temperature', 'top_p'])
})

test('a tool that has to be called is offered alone to a model that cannot be told so', async () => {
  const forced = { tools: [tool('moon'), tool('tide')], toolChoice: { name: 'tide' } }
  for (const model of ['claude-opus-5-5', 'claude-fable-5-1']) {
    const { body } = await encoded(offered(providerAt(14), 'chat'), { model, ...forced, reasoning: { effort: 'low' } })
    expect(body.tools.map(({ name }: Fields) => name)).toEqual(['tide'])
    expect(body.tool_choice).toEqual({ type: 'auto' })
    // It thinks anyway.
    expect(body.output_config).toEqual({ effort: 'low' })
  }
  const { body } = await encoded(offered(providerAt(14), 'chat'), { model: 'claude-opus-5', ...forced })
  expect(body.tool_choice).toEqual({ type: 'tool', name: 'tide' })
})

test('sampling reaches the models that take it', async () => {
  const sampling = { temperature: 0.2, topP: 0.9, frequencyPenalty: 0.5, presencePenalty: 0.1 }
  const sent = { temperature: 0.2, top_p: 0.9, frequency_penalty: 0.5, presence_penalty: 0.1 }
  for (const model of ['gpt-4o', 'gpt-5-chat-latest', 'gpt-5.2', 'gpt-oss-120b', 'chatgpt-4o-latest', 'llama-4'])
    expect((await encoded(offered(providerAt(1), 'chat'), { model, ...sampling })).body).toMatchObject(sent)
  const quiet = { model: 'gpt-6-sol', reasoning: { effort: 'none' }, ...sampling }
  expect((await encoded(offered(providerAt(1), 'chat'), quiet)).body).toMatchObject({
    ...sent,
    reasoning_effort: 'none',
  })
})

test('a format that goes with no tools becomes an instruction, and with a forced call it means nothing', async () => {
  const format = { type: 'json_schema' as const, name: 'tide', schema }
  const messages: ChatRequest['messages'] = [
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Tides?' }] },
  ]
  const asked = { messages, responseFormat: format, tools: [tool('tide')] }
  const sent = async (model: string, more: Partial<ChatRequest>) =>
    (await encoded(offered(providerAt(24), 'chat'), { model, ...asked, ...more })).body
  const older = await sent('gemini-2.5-flash', {})
  const { text } = fieldsOf(listOf(older.systemInstruction.parts)[0])
  expect(text).toStartWith('Be brief.\n\n')
  expect(text).toContain(JSON.stringify(schema))
  expect(configOf(older).responseMimeType).toBeUndefined()
  const newer = await sent('gemini-3.7-flash', {})
  expect(configOf(newer).responseJsonSchema).toEqual(schema)
  expect(newer.systemInstruction.parts).toEqual([{ text: 'Be brief.' }])
  const forced = await sent('gemini-3.7-flash', { toolChoice: 'required' })
  expect(configOf(forced).responseMimeType).toBeUndefined()
})
