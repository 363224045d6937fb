import { describe, expect, test } from 'bun:test'
import { CHANNEL_TYPES, placeMembers } from '@tollgate/contract'
import { VendorError } from './failure.ts'
import type { GeminiOperation, OpenAiOperation, Provider } from './provider.ts'
import { providerOf } from './registry.ts'
import { aRequest, ENCODE_CONTEXT } from './testing/vendor-kit.ts'
import type { Access, Encoded } from './upstream-request.ts'

/*
 * Whatever the value of a setting, a part of a key or a caller's model: the URL built from it keeps its host, and its path does not
 * lead upwards. Otherwise the value is refused.
 */

const HOSTILE = [
  'x.evil.example:443/',
  'evil.example',
  'a@evil.example',
  '@evil.example/',
  '#',
  'evil#',
  '?',
  'a?b=c',
  '.',
  '..',
  '../..',
  'a/../../b',
  '\\',
  '..\\..',
  '%2f',
  '..%2f..',
  '%2e%2e',
  'a\r\nhost: evil.example',
  '//evil.example',
  'https://evil.example/',
  '\ud800',
  '\u0000',
]

const ADC = { type: 'authorized_user', client_id: 'id', client_secret: 'secret', refresh_token: 'refresh' }

const accessOf = (type: number, provider: Provider): Access => ({
  type,
  baseUrl: provider.baseUrl ?? (placeMembers(type).includes('region') ? '' : 'https://own.example/base'),
  key: KEYS[type] ?? 'the-key',
  other: '',
  config: {
    ...{ region: 'us-east-1', user_id: 'user', library_id: 'library', plugin: '{}', vertex_ai_project_id: 'project' },
    ...(type === 33 ? { ak: 'the-ak', sk: 'the-sk' } : {}),
    ...(type === 42 ? { vertex_ai_adc: JSON.stringify(ADC) } : {}),
  },
})

const KEYS: Record<number, string> = {
  15: 'the-api-key|the-secret-key',
  16: 'the-id.the-secret',
  18: 'the-appid|the-api-secret|the-api-key',
  23: 'the-appid|the-secret-id|the-secret-key',
}

const OPENAI: readonly OpenAiOperation[] = [
  ...([
    'chat/completions',
    'completions',
    'embeddings',
    'moderations',
    'images/generations',
    'images/edits',
    'images/variations',
  ] as const),
  ...(['audio/transcriptions', 'audio/translations', 'audio/speech', 'responses', 'rerank'] as const),
  ...(['responses/input_tokens', 'responses/compact'] as const),
]
const GEMINI: readonly GeminiOperation[] = [
  ...(['generateContent', 'streamGenerateContent', 'countTokens', 'embedContent', 'batchEmbedContents'] as const),
]

type Build = (access: Access, model: string) => string | undefined | Promise<string | undefined>

/** Every operation of a vendor that builds a URL. */
function operationsOf(provider: Provider): [string, Build][] {
  const { openai, anthropic, gemini, chat, embeddings, rerank, images, speech, transcription } = provider
  const { realtime, forward, exchange, models, balance } = provider
  const urlOf = async (encoded: Encoded | undefined) => (await encoded)?.url
  const audio = { mimeType: 'audio/wav', base64: 'AAAA' }
  return [
    ...OPENAI.map((name): [string, Build] => [name, (access, model) => openai?.url(name, access, model)]),
    ...GEMINI.map((name): [string, Build] => [name, (access, model) => gemini?.url(name, access, model)]),
    ['messages', (access, model) => anthropic?.url('messages', access, model)],
    ['chat', (access, model) => urlOf(chat?.encode(aRequest({ model }), access, ENCODE_CONTEXT))],
    ['stream', (access, model) => urlOf(chat?.encode(aRequest({ model, stream: true }), access, ENCODE_CONTEXT))],
    ['vectors', (access, model) => urlOf(embeddings?.encode({ model, input: ['a'] }, access, ENCODE_CONTEXT))],
    [
      'ranking',
      (access, model) => urlOf(rerank?.encode({ model, query: 'a', documents: ['b'] }, access, ENCODE_CONTEXT)),
    ],
    [
      'image',
      (access, model) => urlOf(images?.encode({ model, prompt: 'a', n: 1, extra: {} }, access, ENCODE_CONTEXT)),
    ],
    ['speech', (access, model) => urlOf(speech?.encode({ model, input: 'a' }, access, ENCODE_CONTEXT))],
    ['transcript', (access, model) => urlOf(transcription?.encode({ model, audio }, access, ENCODE_CONTEXT))],
    ['realtime', (access, model) => realtime?.url(access, model)],
    ['proxy', (access, model) => forward?.url(model, access)],
    ['exchange', (access) => urlOf(exchange?.request(access, ENCODE_CONTEXT.nowMs))],
    ['models', (access) => urlOf(models?.request(access, ENCODE_CONTEXT.nowMs))],
    ['more models', (access) => urlOf(models?.more?.(access, ENCODE_CONTEXT.nowMs))],
    ['balance', (access) => balance?.requests(access, 0)[0]?.url],
  ]
}

/** The inserted values, by where they go. */
function variantsOf(access: Access, hostile: string): [string, Access, string][] {
  const members = ['region', 'user_id', 'library_id', 'plugin', 'vertex_ai_project_id', 'api_version'] as const
  const parts = access.key.split(/[|.]/)
  const separator = /[|.]/.exec(access.key)?.[0] ?? ''
  return [
    ['model', access, hostile],
    ['model in a folder', access, `models/${hostile}`],
    ['other', { ...access, other: hostile }, MODEL],
    ...members.map((name): [string, Access, string] => [
      name,
      { ...access, config: { ...access.config, [name]: hostile } },
      MODEL,
    ]),
    ...parts.map((_, at): [string, Access, string] => [
      `key part ${at}`,
      { ...access, key: parts.map((part, index) => (index === at ? hostile : part)).join(separator) },
      MODEL,
    ]),
    ...(access.type === 33
      ? [['key with a region', { ...access, key: `a|b|${hostile}`, config: {} }, MODEL] as [string, Access, string]]
      : []),
  ]
}

/** A name that is valid for every vendor; Spark only accepts its own. */
const MODEL = 'Spark-Max'

/** Undefined if the vendor does not offer it, or refuses the value with its own error. */
async function built(build: Build, access: Access, model: string) {
  try {
    return await build(access, model)
  } catch (error) {
    if (error instanceof VendorError) return undefined
    throw error
  }
}

function isAtHome(url: string, usual: string) {
  const [{ protocol, host, username, hash }, home] = [new URL(url), new URL(usual)]
  const segments = (url.split('?')[0] ?? '').split(/[/\\]/).slice(3)
  const leadsUp = segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment))
  return (
    protocol === home.protocol &&
    host === home.host &&
    username === '' &&
    hash === '' &&
    !leadsUp &&
    !/[\s\\]/.test(url)
  )
}

describe.each(CHANNEL_TYPES.map(({ value, key }): [number, string] => [value, key]))('type %i, %s', (type) => {
  const provider = providerOf(type)
  if (provider === undefined) throw new Error(`${type} is nobody's`)
  const access = accessOf(type, provider)

  test('no value changes the host or leads up the path', async () => {
    const astray: string[] = []
    for (const [operation, build] of operationsOf(provider)) {
      const usual = await built(build, access, operation === 'proxy' ? '/items' : MODEL)
      if (usual === undefined) continue
      for (const hostile of HOSTILE) {
        for (const [place, changed, model] of variantsOf(access, hostile)) {
          const url = await built(build, changed, model)
          if (url === undefined) continue
          if (!isAtHome(url, usual)) astray.push(`${operation}, ${place}: ${JSON.stringify(hostile)} → ${url}`)
        }
      }
    }
    expect(astray).toEqual([])
  })
})

test('an invalid region is refused, even if it was stored long ago', async () => {
  for (const type of [33, 42]) {
    const provider = providerOf(type)
    if (provider?.chat === undefined) throw new Error('no chat')
    const access = accessOf(type, provider)
    for (const region of ['x.evil.example:443/', 'us-east-1.evil.example', 'US', 'a_b', '-a', 'a'.repeat(41)]) {
      const changed = { ...access, config: { ...access.config, region } }
      expect(await built((one, model) => urlOfChat(provider, one, model), changed, 'm'), region).toBeUndefined()
    }
  }
})

const urlOfChat = async ({ chat }: Provider, access: Access, model: string) =>
  (await chat?.encode(aRequest({ model }), access, ENCODE_CONTEXT))?.url
