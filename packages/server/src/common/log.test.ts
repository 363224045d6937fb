import { expect, test } from 'bun:test'
import { createLog, redact } from './log.ts'

function recorded() {
  const lines: string[] = []
  return { lines, log: createLog((line) => lines.push(line)) }
}

test('an event is one line of JSON', () => {
  const { lines, log } = recorded()
  log.info('two\nlines', { count: 5, nested: { a: [1, '"'] } })
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('\n')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    message: 'two\nlines',
    count: 5,
    nested: { a: [1, '"'] },
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
})

test('an error is logged with its chain of causes', () => {
  const { lines, log } = recorded()
  log.error('broken', { error: new TypeError('outer', { cause: new Error('inner') }) })
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    error: { name: 'TypeError', message: 'outer', stack: expect.any(Array), cause: { message: 'inner' } },
  })
})

const secrets: [string, string][] = [
  ['an API key', 'upstream said: invalid key sk-abcDEF1234567890'],
  ['an access token', 'at-abcDEF1234567890abcDEF1234567890'],
  ['a bearer header', 'authorization: Bearer abc.DEF-123_456'],
  ['a basic header', 'Authorization: basic YWJjREVGMTIzNDU2'],
  ['a key in a query', 'GET https://host/v1?key=abcDEF123&x=1'],
  ['a code in a query', 'GET /api/oauth/github?code=abcDEF123&state=1'],
  ['a password in a query', '/x?password=abcDEF123'],
  ['a private key', '-----BEGIN PRIVATE KEY-----\nabcDEF123\n-----END PRIVATE KEY-----'],
  ['the password of a database', 'connect to postgres://tollgate:abcDEF123@db.internal:5432/x failed'],
  ['the password of Redis', 'redis://:abcDEF123@cache.internal:6379'],
]

for (const [what, text] of secrets) {
  test(`${what} never reaches the log`, () => {
    const { lines, log } = recorded()
    log.warn(text, { url: text, deep: { list: [text] }, error: new Error(text, { cause: new Error(text) }) })
    expect(lines[0]).not.toMatch(/abcDEF|YWJj/)
    expect(lines[0]).toContain('[secret]')
    expect(() => JSON.parse(lines[0] ?? '')).not.toThrow()
  })
}

test('fields that are named like a secret are removed, whatever they contain', () => {
  const { lines, log } = recorded()
  const fields = { password: 'p "quoted" \\', client_secret: 's', 'x-api-key': 'k', Authorization: 'a', SMTPToken: 't' }
  log.info('saved', { ...fields, nested: { cookie: 'c' }, name: 'kept' })
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    password: '[secret]',
    client_secret: '[secret]',
    'x-api-key': '[secret]',
    Authorization: '[secret]',
    SMTPToken: '[secret]',
    nested: { cookie: '[secret]' },
    name: 'kept',
  })
})

test('what is no secret stays readable', () => {
  for (const text of ['tollgate listens on http://localhost:3000', 'task-force', 'key: none', 'user@example.com']) {
    expect(redact(text)).toBe(text)
  }
})
