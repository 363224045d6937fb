import { expect, test } from 'bun:test'
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { collect } from '../collect.ts'
import { contentOfAnswer } from '../testing/adapter-suite.ts'
import {
  anAccess,
  aRequest,
  decodeStream,
  ENCODE_CONTEXT,
  encoded,
  failureFrom,
  offered,
} from '../testing/vendor-kit.ts'
import { vertex } from './vertex.ts'

const chat = offered(vertex, 'chat')
const exchange = offered(vertex, 'exchange')
const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
const adc = JSON.stringify({
  type: 'service_account',
  project_id: 'harbour-1',
  private_key_id: 'k1',
  private_key: await exportPKCS8(privateKey),
  client_email: 'gate@harbour-1.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
})

test('vertex: a service account signs for a token, and the token is read', async () => {
  const request = await exchange.request(anAccess({ config: { vertex_ai_adc: adc } }), ENCODE_CONTEXT.nowMs)
  expect(request.url).toBe('https://oauth2.googleapis.com/token')
  const form = new URLSearchParams(String(request.body))
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
  const { payload, protectedHeader } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
    currentDate: new Date(ENCODE_CONTEXT.nowMs),
    audience: 'https://oauth2.googleapis.com/token',
    issuer: 'gate@harbour-1.iam.gserviceaccount.com',
  })
  expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' })
  expect(payload).toMatchObject({ scope: 'https://www.googleapis.com/auth/cloud-platform', exp: 1_767_229_200 })
  expect(exchange.read({ access_token: 'ya29', expires_in: 3599 })).toEqual({ token: 'ya29', expiresInSec: 3599 })
})

test('vertex: invalid credentials are the channel’s fault, and are not repeated', async () => {
  const bad = (text: string) => failureFrom(() => exchange.request(anAccess({ config: { vertex_ai_adc: text } }), 0))
  for (const text of ['secret', '{"type":"service_account"}', adc.replace('BEGIN PRIVATE', 'BEGIN')]) {
    const failure = await bad(text)
    expect(failure).toMatchObject({ class: 'auth', code: 'malformed_key' })
    expect(failure.message).not.toContain('secret')
  }
})

test('vertex: each publisher has its path, and the global region its own host', async () => {
  const urlOf = async (model: string, stream: boolean, region?: string) => {
    const config = { vertex_ai_adc: adc, ...(region === undefined ? {} : { region }) }
    return (await chat.encode(aRequest({ model, stream }), anAccess({ baseUrl: '', config }), ENCODE_CONTEXT)).url
  }
  const place = 'aiplatform.googleapis.com/v1/projects/harbour-1/locations'
  expect(await urlOf('gemini-2.5-pro', false, 'europe-west1')).toBe(
    `https://europe-west1-${place}/europe-west1/publishers/google/models/gemini-2.5-pro:generateContent`,
  )
  expect(await urlOf('gemini-3-pro-preview', true)).toBe(
    `https://${place}/global/publishers/google/models/gemini-3-pro-preview:streamGenerateContent?alt=sse`,
  )
  expect(await urlOf('claude-sonnet-4-5@20250929', true, 'global')).toBe(
    `https://${place}/global/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict`,
  )
  expect(await urlOf('meta/llama-4-maverick', false, 'us-east5')).toBe(
    `https://us-east5-${place}/us-east5/endpoints/openapi/chat/completions`,
  )
})

test('vertex: Claude is called in its own format, with the version in the body and without the model', async () => {
  const config = { vertex_ai_project_id: 'p', region: 'global' }
  const { headers, body } = await encoded(chat, { model: 'claude-opus-4-1@20250805', stream: true }, { config })
  expect(headers.authorization).toBe('Bearer the-key')
  expect(body).toMatchObject({ anthropic_version: 'vertex-2023-10-16', stream: true, max_tokens: 32_000 })
  expect('model' in body).toBe(false)
  expect(await failureFrom(() => encoded(chat, { model: 'claude-opus-4-1', n: 2 }, { config }))).toMatchObject({
    param: 'n',
  })
})

test('vertex: an answer is decoded in its own dialect', () => {
  const said = (parts: ReturnType<typeof chat.decode>) => contentOfAnswer(collect(parts)).choices[0]?.text
  const event = (body: object) => ({ event: '', data: JSON.stringify(body) })
  const google = { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] }
  const claude = { type: 'message', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' }
  const llama = { object: 'chat.completion', choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }
  for (const body of [google, claude, llama]) expect(said(chat.decode(body))).toBe('Hi')
  expect(said(decodeStream(chat, [event(google)]))).toBe('Hi')
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }
  expect(said(decodeStream(chat, [event({ type: 'ping' }), event(delta)]))).toBe('Hi')
  expect(
    said(decodeStream(chat, [event({ object: 'chat.completion.chunk', choices: [{ delta: { content: 'Hi' } }] })])),
  ).toBe('Hi')
})

test('vertex: Gemini’s own dialect passes through for Gemini’s models', () => {
  const { url } = offered(vertex, 'gemini')
  const access = anAccess({ baseUrl: '', config: { vertex_ai_project_id: 'p', region: 'us-central1' } })
  expect(url('countTokens', access, 'gemini-2.5-flash')).toEndWith('/models/gemini-2.5-flash:countTokens')
  expect(url('streamGenerateContent', access, 'gemini-2.5-flash')).toEndWith('?alt=sse')
  expect(url('generateContent', access, 'claude-opus-4-1')).toBeUndefined()
})

test('vertex: embeddings use predict and report usage', () => {
  const { decode } = offered(vertex, 'embeddings')
  const row = (count: number) => ({ embeddings: { values: [0.5], statistics: { token_count: count } } })
  expect(decode({ predictions: [row(2), row(3)] })).toMatchObject({ vectors: [[0.5], [0.5]], usage: { input: 5 } })
})

test('vertex: the models are those that Google publishes, requested with the project’s account', async () => {
  const { request, read } = offered(vertex, 'models')
  const access = anAccess({ baseUrl: '', key: 'ya29', config: { vertex_ai_adc: adc, region: 'europe-west4' } })
  expect(await request(access, 0)).toEqual({
    method: 'GET',
    url: 'https://europe-west4-aiplatform.googleapis.com/v1beta1/publishers/google/models?pageSize=500',
    headers: { authorization: 'Bearer ya29', 'x-goog-user-project': 'harbour-1' },
  })
  const publisherModels = [{ name: 'publishers/google/models/gemini-2.5-pro', versionId: 'default' }, { odd: 1 }]
  expect(read({ publisherModels })).toEqual(['gemini-2.5-pro'])
})

test('vertex: images are made by Imagen’s predict and by Gemini’s generateContent', async () => {
  const { encode, edits } = offered(vertex, 'images')
  const access = anAccess({ baseUrl: '', config: { vertex_ai_adc: adc } })
  const order = { prompt: 'a ferry', n: 1, size: '1792x1024', extra: {} }
  const imagen = await encode({ ...order, model: 'imagen-4.0-generate-001' }, access, ENCODE_CONTEXT)
  expect(imagen.url).toEndWith('/publishers/google/models/imagen-4.0-generate-001:predict')
  expect(JSON.parse(String(imagen.body)).parameters).toEqual({ sampleCount: 1, aspectRatio: '16:9' })
  const gemini = await encode({ ...order, model: 'gemini-2.5-flash-image' }, access, ENCODE_CONTEXT)
  expect(gemini.url).toEndWith('/models/gemini-2.5-flash-image:generateContent')
  expect(edits?.('gemini-2.5-flash-image')).toBe(true)
  expect(edits?.('imagen-4.0-generate-001')).toBe(false)
})

test('vertex: Anthropic’s own dialect passes through for Claude, with the version in the body and without the model', () => {
  const { url, amend, takes, headers } = offered(vertex, 'anthropic')
  const access = anAccess({ baseUrl: '', config: { vertex_ai_project_id: 'p', region: 'us-east5' } })
  expect(url('messages', access, 'claude-opus-4-1@20250805')).toEndWith('claude-opus-4-1@20250805:rawPredict')
  expect(url('messages', access, 'claude-opus-4-1', true)).toEndWith('claude-opus-4-1:streamRawPredict')
  expect(url('messages', access, 'gemini-2.5-pro')).toBeUndefined()
  expect(url('messages/count_tokens', access, 'claude-opus-4-1')).toBeUndefined()
  expect(headers(access)).toEqual({ authorization: 'Bearer the-key' })
  expect(JSON.parse(amend?.('messages', '{"model":"m","max_tokens":5,"stream":true}') ?? '')).toEqual({
    anthropic_version: 'vertex-2023-10-16',
    max_tokens: 5,
    stream: true,
  })
  const picture = { type: 'image', source: { type: 'url', url: 'https://a.example/a.png' } }
  const says = (content: unknown) => takes?.({ messages: [{ role: 'user', content }] }, 'messages')
  expect(says('Hi')).toBe(true)
  expect(says([{ type: 'image', source: { type: 'base64', data: '' } }])).toBe(true)
  expect(says([picture])).toBe(false)
  expect(says([{ type: 'tool_result', tool_use_id: 't', content: [picture] }])).toBe(false)
})
