import { expect, test } from 'bun:test'
import { CHANNEL_TYPES, channelType, fitsKeyFormat } from './channel-types.ts'

const byValue = (value: number) => {
  const type = channelType(value)
  if (type === undefined) throw new Error(`There is no type ${value}`)
  return type
}

/** Those of the specification; later types have higher numbers. */
const SPECIFIED = CHANNEL_TYPES.slice(0, 43)

test('the 43 types of the specification come first, and all are numbered without a gap [R3.12 R3.13]', () => {
  const numbers = CHANNEL_TYPES.map((_, index) => index + 1)
  expect(CHANNEL_TYPES.map(({ value }) => value)).toEqual(numbers)
  expect(SPECIFIED.at(-1)?.key).toBe('proxy')
})

test('each type has a key, a name in both languages and a colour from the list [R3.12 R3.13]', () => {
  const count = CHANNEL_TYPES.length
  expect(new Set(CHANNEL_TYPES.map(({ key }) => key)).size).toBe(count)
  for (const language of ['zh', 'en'] as const) {
    expect(new Set(CHANNEL_TYPES.map(({ label }) => label[language])).size).toBe(count)
  }
  for (const { key, label, color } of CHANNEL_TYPES) {
    expect(key).toMatch(/^[a-z0-9-]+$/)
    expect(label.zh).not.toBe('')
    expect(label.en).not.toMatch(/\p{Script=Han}/u)
    expect(color).toMatch(/^[a-z]+$/)
  }
  for (const nothing of [0, count + 1, -1, 1.5, Number.NaN]) expect(channelType(nothing)).toBeUndefined()
})

test('the types are those of the specification [R3.12]', () => {
  const english: Record<number, string> = {
    1: 'OpenAI',
    2: 'Proxy: API2D',
    3: 'Azure OpenAI',
    8: 'Custom channel',
    11: 'Google PaLM2',
    14: 'Anthropic Claude',
    15: 'Baidu Wenxin',
    16: 'Zhipu ChatGLM',
    17: 'Alibaba Tongyi Qianwen',
    18: 'iFlytek Spark',
    21: 'Knowledge base: AI Proxy',
    22: 'Knowledge base: FastGPT',
    23: 'Tencent Hunyuan',
    24: 'Google Gemini',
    30: 'Ollama',
    33: 'AWS',
    34: 'Coze',
    37: 'Cloudflare',
    40: 'ByteDance Doubao',
    42: 'VertexAI',
    43: 'Proxy',
  }
  for (const [value, label] of Object.entries(english)) expect(byValue(Number(value)).label.en).toBe(label)
})

test('a type has the fields that the specification requires, and no others [R5.41 R5.42 R5.43 R5.44 R5.45 R5.46 R5.47 R5.48 R5.49 R5.50]', () => {
  const asked = Object.fromEntries(
    SPECIFIED.filter(({ fields }) => fields.length > 0).map(({ value, fields }) => [
      value,
      fields.map(({ name }) => name),
    ]),
  )
  expect(asked).toEqual({
    3: ['base_url', 'other'],
    8: ['base_url'],
    17: ['other'],
    18: ['other'],
    21: ['other'],
    22: ['base_url'],
    33: ['config.region', 'config.ak', 'config.sk'],
    34: ['config.user_id'],
    37: ['config.user_id'],
    42: ['config.region', 'config.vertex_ai_project_id', 'config.vertex_ai_adc'],
    43: ['base_url'],
  })
  for (const { fields } of CHANNEL_TYPES) {
    for (const { label } of fields) expect([label.zh, label.en]).not.toContain('')
  }
  const secrets = CHANNEL_TYPES.flatMap(({ fields }) => fields.filter(({ secret }) => secret)).map(({ name }) => name)
  expect(new Set(secrets)).toEqual(new Set(['config.ak', 'config.sk', 'config.vertex_ai_adc']))
})

test('types beyond the specification keep the numbers of other gateways, and ours follow', () => {
  const later = CHANNEL_TYPES.slice(43).map(({ value, key }) => `${value} ${key}`)
  expect(later.slice(0, 8)).toEqual([
    '44 siliconflow',
    '45 xai',
    '46 replicate',
    '47 baidu-v2',
    '48 spark-http',
    '49 bailian',
    '50 openai-compatible',
    '51 gemini-openai',
  ])
  expect(later.slice(8)).toEqual([
    '52 perplexity',
    '53 fireworks',
    '54 cerebras',
    '55 vercel',
    '56 huggingface',
    '57 nvidia',
    '58 deepinfra',
    '59 vllm',
    '60 lm-studio',
    '61 midjourney',
  ])
})

test('compound keys have their format documented, Azure its default version, and only the proxy has no models [R5.32 R5.35 R5.36 R5.37 R5.38 R5.39 R5.40 R5.51]', () => {
  const formats = CHANNEL_TYPES.flatMap(({ value, keyFormat }) => (keyFormat === undefined ? [] : [[value, keyFormat]]))
  expect(Object.fromEntries(formats)).toEqual({
    15: 'APIKey|SecretKey',
    // Not in the specification: the format in which Zhipu issues keys.
    16: 'id.secret',
    18: 'APPID|APISecret|APIKey',
    22: 'APIKey-AppId',
    23: 'AppId|SecretId|SecretKey',
    33: 'ak|sk|region',
    42: 'region|project|adc',
    // The name used in the server's documentation.
    61: 'mj-api-secret',
  })
  expect(byValue(3).fields.find(({ name }) => name === 'other')?.default).toBe('2024-03-01-preview')
  expect(CHANNEL_TYPES.filter(({ hasModels }) => !hasModels).map(({ value }) => value)).toEqual([43])
})

test('a key matches its format when no part is missing', () => {
  const fits: [number, string][] = [
    [1, 'sk-anything|at.all'],
    [15, 'a|b'],
    [16, 'id.secret'],
    [18, 'a|b|c'],
    [22, 'fastgpt-one-piece'],
    [99, 'unknown types are nobody’s business'],
  ]
  for (const [type, key] of fits) expect({ type, fits: fitsKeyFormat(type, key) }).toEqual({ type, fits: true })
  const wrong: [number, string][] = [
    [15, 'a'],
    [15, 'a|b|c'],
    [16, 'no-dot'],
    [16, 'a.b.c'],
    [18, 'a||c'],
    [23, 'a| |c'],
  ]
  for (const [type, key] of wrong) expect({ type, fits: fitsKeyFormat(type, key) }).toEqual({ type, fits: false })
})
