import { expect, test } from 'bun:test'
import { type Access, failureOf, VendorError } from '@tollgate/providers'
import { createMask } from './mask.ts'
import { maskedBody } from './masked-body.ts'
import { asReply } from './reply.ts'

const access = (key: string, config: Access['config'] = {}): Access => ({
  ...{ type: 1, baseUrl: '', other: '' },
  ...{ key, config },
})
const KEY = 'sk-Zq/8+x=="tail'

test('a secret is masked in every form in which it may have been sent', () => {
  const { text } = createMask(access(KEY))
  const forms = [
    KEY,
    JSON.stringify(KEY).slice(1, -1),
    JSON.stringify(JSON.stringify(KEY)).slice(3, -3),
    encodeURIComponent(KEY),
    new URLSearchParams({ a: KEY }).toString().slice(2),
    btoa(KEY).replace(/=+$/, ''),
    btoa(KEY).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
  ]
  for (const form of forms) expect(text(`Bad key ${form}!`), form).toMatch(/^Bad key \*\*\*.?!$/)
  for (const before of ['a:', 'ab:', 'abc:']) {
    const inner = btoa(`${before}${KEY}`)
    expect(text(inner)).toContain('***')
    expect(atob(text(inner).split('***')[0]?.slice(0, 4) ?? '')).not.toContain('Zq')
  }
})

test('each secret part of a compound key is masked, and nothing else', () => {
  const aws = createMask(access('AKIAEXAMPLE1|the-secret-part|us-east-1', { region: 'us-east-1', ak: 'AKIAEXAMPLE1' }))
  expect(aws.text('AKIAEXAMPLE1 the-secret-part in us-east-1')).toBe('*** *** in us-east-1')
  const adc = {
    private_key: '-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----\n',
    client_secret: 'client-secret-1',
  }
  const google = createMask(
    access(`us-central1|my-project|${JSON.stringify(adc)}`, { vertex_ai_project_id: 'my-project' }),
  )
  expect(google.text('my-project: client-secret-1, MIIEvQIBADANBg')).toBe('my-project: ***, ***')
  expect(createMask(access('the-ident.the-secret')).text('the-secret')).toBe('***')
  expect(createMask(access('short')).text('in short')).toBe('in short')
})

test('values derived from the key and sent in a header, the query or a form are masked', () => {
  const headers = { authorization: 'Bearer derived-token', 'content-type': 'application/x-www-form-urlencoded' }
  const url = 'https://a.example/x?access_token=query-token&model=plain-model'
  const mask = createMask(access('the-long-key'), {
    url,
    headers,
    body: 'assertion=signed-statement&grant_type=plain-grant',
  })
  expect(mask.text('derived-token query-token plain-model signed-statement plain-grant')).toBe(
    '*** *** plain-model *** plain-grant',
  )
  const signed = { authorization: 'AWS4-HMAC-SHA256 Credential=x, SignedHeaders=host, Signature=0123456789abcdef' }
  expect(createMask(access(''), { url: '', headers: signed }).text('AWS4-HMAC-SHA256 … 0123456789abcdef')).toBe(
    'AWS4-HMAC-SHA256 … ***',
  )
})

test('all texts of a failure are masked, including those of the runtime', () => {
  const mask = createMask(access('the-long-key'))
  const failure = failureOf('auth', 'the-long-key', {
    type: 'the-long-key',
    code: 'the-long-key',
    param: 'the-long-key',
  })
  const errors = [
    mask.error(new VendorError(failure, { cause: new Error('the-long-key') })),
    mask.error(new SyntaxError('Unexpected identifier "the-long-key"')),
  ]
  for (const error of errors) {
    if (!(error instanceof Error)) throw new Error('not an error')
    const words = { ...error, message: error.message, cause: String(error.cause) }
    expect(JSON.stringify(words)).not.toContain('the-long-key')
    expect(error.message).toContain('***')
  }
})

test('a body is masked however it is split, and nothing else of it is delayed', async () => {
  const text = 'the-lon the-long-keythe-long-key the-long-ke'
  for (let size = 1; size < text.length; size++) {
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    })
    const masked = maskedBody(asReply(new Response(body)), createMask(access('the-long-key')))
    expect(await new Response(masked).text(), String(size)).toBe('the-lon ****** the-long-ke')
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const reader = maskedBody(asReply(new Response(readable)), createMask(access('the-long-key'))).getReader()
  const writer = writable.getWriter()
  void writer.write(new TextEncoder().encode('data: at once\n\n'))
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: at once\n\n')
})
