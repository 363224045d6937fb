import { expect, test } from 'bun:test'
import { fittedText } from './fitted-text.ts'
import { maskedSecrets } from './masked-secrets.ts'
import { mediaBySize } from './media-by-size.ts'

const bytes = (length: number) => Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 71) % 256))

test('data is replaced by its size, as a URL, as a field, in lines, with escaped slashes, and truncated', () => {
  const data = bytes(600).toString('base64')
  const lines = data.match(/.{1,76}/g)?.join('\\n')
  for (const [written, kept] of [
    [`{"url":"data:image/png;base64,${data}"}`, '{"url":"[image/png: 600 bytes]"}'],
    [`{"url":"data:image\\/png;base64,${data.replaceAll('/', '\\/')}"}`, '{"url":"[image/png: 600 bytes]"}'],
    [`{"url":"data:;base64,aGk="}`, '{"url":"[base64: 2 bytes]"}'],
    [`{"data":"${data}"}`, '{"data":"[base64: 600 bytes]"}'],
    [`{"data": "${bytes(30).toString('base64')}"}`, '{"data": "[base64: 30 bytes]"}'],
    [`{"anything":"${lines}"}`, '{"anything":"[base64: 600 bytes]"}'],
    [`{"anything":"${data.replaceAll('+', '-').replaceAll('/', '_')}"}`, '{"anything":"[base64: 600 bytes]"}'],
    [`{"data":"${data.slice(0, 400)}`, '{"data":"[base64: 300 bytes]'],
    [
      '{"type":"response.audio.delta","delta":"aGVsbG8="}',
      '{"type":"response.audio.delta","delta":"[audio: 5 bytes]"}',
    ],
  ]) {
    expect(mediaBySize(written ?? '')).toBe(kept ?? '')
  }
})

test('ordinary text is unchanged', () => {
  const texts = [
    `{"content":"${'word '.repeat(500)}"}`,
    `{"content":"${'你好'.repeat(500)}"}`,
    `{"embedding":[${'0.0123,-0.5,'.repeat(100)}1]}`,
    '{"data":"a short value"}',
    '{"url":"https://example.com/a/picture.png?size=large"}',
    '{"type":"response.output_text.delta","delta":"hello"}',
    '{"max_tokens":5,"password_rules":{"type":"string"},"tokens":"12","secretary":7}',
  ]
  for (const text of texts) expect(maskedSecrets(mediaBySize(text), '')).toBe(text)
})

test('anything that looks like a key is masked, wherever it is', () => {
  const secrets = [
    'sk-proj-0123456789abcdefghij',
    'sk-ant-api03-0123456789abcdefghij',
    'AIzaSyA0123456789abcdefghijklmnopqrstu',
    'AKIA0123456789ABCDEF',
    'ghp_0123456789abcdefghijABCDEFGHIJ',
    'xoxb-0123456789-abcdefghij',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijkl',
    '-----BEGIN RSA PRIVATE KEY-----\\nMIIEabc\\n-----END RSA PRIVATE KEY-----',
  ]
  for (const secret of secrets) {
    expect(maskedSecrets(`{"content":"use ${secret} for it"}`, '')).toBe('{"content":"use *** for it"}')
  }
  const own = 'TheKeyOfTheCallerWithoutAnyPrefix'
  expect(maskedSecrets(`my key is ${own}.`, own)).toBe('my key is ***.')
})

test('anything named like a secret is masked, also in the arguments of a tool and in a shell', () => {
  expect(maskedSecrets('{"api_key":"hunter \\"2\\"","x-api-key": "b","password":"c","name":"d"}', '')).toBe(
    '{"api_key":"***","x-api-key": "***","password":"***","name":"d"}',
  )
  const inner = JSON.stringify({ password: 'correct horse', user: 'me' })
  const masked = JSON.parse(maskedSecrets(JSON.stringify({ arguments: inner }), ''))
  expect(JSON.parse(masked.arguments)).toEqual({ password: '***', user: 'me' })
  expect(maskedSecrets('export OPENAI_API_KEY=abcdef123456 now', '')).toBe('export OPENAI_API_KEY=*** now')
  expect(maskedSecrets('authorization: Bearer abcdefghijklmnop', '')).toBe('authorization: Bearer ***')
})

test('a text that is too long ends between two characters, and JSON stays JSON', () => {
  expect(fittedText('short', 5)).toEqual({ text: 'short', cut: false })
  expect(fittedText('你好吗', 7)).toEqual({ text: '你好\n… [3 more bytes]', cut: true })
  const { text, cut } = fittedText(JSON.stringify({ a: 'x'.repeat(5000), b: 'y'.repeat(100) }), 2000)
  expect(cut).toBe(true)
  expect(JSON.parse(text)).toEqual({ a: `${'x'.repeat(1024)}… [3976 more characters]`, b: 'y'.repeat(100) })
  const many = JSON.stringify(Array.from({ length: 1000 }, (_, index) => index))
  expect(fittedText(many, 100).text).toStartWith(many.slice(0, 100))
})

test('no text takes longer than its length, whatever a caller makes of it', () => {
  const repeated = [
    ...['\\', '\\"', '"a', '"api_key', 'api_key', '"api_key":"', '\\"api_key\\":\\"x', 'eyJabcdefgh-', 'eyJabcdefgh.'],
    ...[
      '"type":"audio.delta" ',
      '"data":"',
      'data:',
      ';a=b',
      'A\\/',
      '\\n',
      'A',
      'A=',
      'AAAA\\n',
      'sk-',
      'KEY',
      'Bearer ',
    ],
    ...['-----BEGIN ', '-----BEGIN PRIVATE KEY-----', 'ghp_', ' ', '"type" ', '{"a":', '['],
  ]
  const length = 250_000
  for (const start of ['', '"', 'data:image/png', 'A'.repeat(200), '"api_key"', '"type":"']) {
    for (const part of repeated) {
      const text = start + part.repeat(length / part.length)
      const startedAt = performance.now()
      fittedText(maskedSecrets(mediaBySize(text), 'x'.repeat(48)), 1000)
      // The square of the length would be minutes.
      expect([start, part, performance.now() - startedAt < 2000]).toEqual([start, part, true])
    }
  }
  const levels = 100_000
  const deep = '{"a":'.repeat(levels) + 1 + '}'.repeat(levels)
  const startedAt = performance.now()
  expect(fittedText(deep, 1000).cut).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(2000)
})
