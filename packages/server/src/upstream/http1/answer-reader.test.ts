import { expect, test } from 'bun:test'
import { AnswerReader } from './answer-reader.ts'

/** The result of a reader for these bytes in these chunks. */
const read = (pieces: readonly Buffer<ArrayBuffer>[], method = 'POST') => {
  const reader = new AnswerReader()
  reader.expect(method)
  let status = 0
  let type: string | null = null
  const body: Uint8Array[] = []
  let over = false
  for (const piece of pieces) {
    // A copy: received bytes are the reader's own memory.
    const arrived = reader.push(Buffer.from(piece))
    status ||= arrived.head?.status ?? 0
    type ??= arrived.head?.headers.get('content-type') ?? null
    if (arrived.body !== undefined) body.push(arrived.body)
    over = arrived.over
  }
  return {
    status,
    type,
    body: Buffer.concat(body).toString(),
    over,
    closed: reader.closed(),
    reusable: reader.reusable(),
  }
}

const whole = (text: string, method?: string) => read([Buffer.from(text)], method)

const CHUNKED =
  'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n' +
  '5\r\nhello\r\n1;name=value\r\n,\r\n0A\r\n 世界!!!\r\n0\r\nx-trailer: 1\r\n\r\n'
const LENGTH = 'HTTP/1.1 201 Created\r\ncontent-type:text/plain\r\ncontent-length: 5\r\n\r\nhello'

test.each([
  ['chunks', CHUNKED, { status: 200, type: 'text/plain', body: 'hello, 世界!!!', over: true, reusable: true }],
  ['a length', LENGTH, { status: 201, type: 'text/plain', body: 'hello', over: true, reusable: true }],
])('an answer with %s is the same however its bytes are split', (_, text, expected) => {
  const bytes = Buffer.from(text)
  for (let cut = 0; cut <= bytes.length; cut++)
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toMatchObject(expected)
  expect(read(Array.from(bytes, (byte) => Buffer.from([byte])))).toMatchObject(expected)
})

test('several chunks that arrive together are delivered as one', () => {
  const reader = new AnswerReader()
  reader.expect('POST')
  expect(Buffer.from(reader.push(Buffer.from(CHUNKED)).body ?? []).toString()).toBe('hello, 世界!!!')
})

test('an answer without a length ends with its connection, which is not reused', () => {
  const answer = whole('HTTP/1.1 200 OK\r\n\r\nuntil the end')
  expect(answer).toMatchObject({ body: 'until the end', over: false, closed: true, reusable: false })
})

test('a connection that closes before the length, a chunk or the head is complete aborts its answer', () => {
  for (const text of [LENGTH.slice(0, -1), CHUNKED.slice(0, -3), LENGTH.slice(0, 30)])
    expect(whole(text)).toMatchObject({ over: false, closed: false })
})

test.each([
  ['HEAD', 'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n'],
  ['POST', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['GET', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 50\r\n\r\n'],
  ['POST', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
])('%s with %j has no body', (method, text) => {
  expect(whole(text, method)).toMatchObject({ body: '', over: true, reusable: true })
})

test.each([
  ['a server that says that it closes', 'HTTP/1.1 200 OK\r\nConnection: Close\r\ncontent-length: 0\r\n\r\n'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ['one that sends more than its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\naHTTP/1.1 200 OK\r\n'],
])('%s is not reused for another request', (_, text) => {
  expect(whole(text)).toMatchObject({ over: true, reusable: false })
})

test('an HTTP/1.0 connection that stays open is reused', () => {
  const text = 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n'
  expect(whole(text)).toMatchObject({ over: true, reusable: true })
})

test('folded values, repeated names, a duplicate length and Latin-1 in a value are read according to the standard', () => {
  const reader = new AnswerReader()
  reader.expect('GET')
  const text =
    'HTTP/1.1 200\r\nX-Folded: one \r\n  two\r\n\tthree\r\nX-Twice: a\r\nx-twice:\tb \r\ncontent-length: 2, 2\r\nx-name: caf\xe9\xa0\r\nx-empty:\r\n\r\nok'
  const { head, body, over } = reader.push(Buffer.from(text, 'latin1'))
  const values = ['x-folded', 'x-twice', 'x-name', 'x-empty', 'absent'].map((name) => head?.headers.get(name))
  expect(values).toEqual(['one two three', 'a, b', 'caf\xe9\xa0', '', null])
  expect({ body: Buffer.from(body ?? []).toString(), over }).toEqual({ body: 'ok', over: true })
})

const headed = (lines: string) => `HTTP/1.1 200 OK\r\n${lines}content-length: 0\r\n\r\n`
const chunked = (rest: string) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${rest}`

test('the maximum number of lines is read, in a head of nearly the maximum size', () => {
  const text = headed(`x-line: ${'y'.repeat(240)}\r\n`.repeat(255))
  expect(text.length).toBeGreaterThan(60 * 1024)
  expect(whole(text)).toMatchObject({ status: 200, over: true, reusable: true })
})

test.each([
  ['a NUL in a name', headed('x-\0a: b\r\n'), 'header line'],
  ['Latin-1 in a name', headed('x-é: b\r\n'), 'header line'],
  ['a carriage return in a name', headed('x\ra: b\r\n'), 'header line'],
  ['a name with a blank behind it', headed('content-type : text/x\r\n'), 'header line'],
  ['a line without a name', headed(': b\r\n'), 'header line'],
  ['a line without a colon', headed('nonsense\r\n'), 'header line'],
  ['a fold before any line', headed(' folded\r\n'), 'header line'],
  ['a NUL in a value', headed('a: b\0c\r\n'), 'header line'],
  ['a carriage return in a value', headed('a: b\rc\r\n'), 'header line'],
  ['a vertical tab in a value', headed('a: b\v\r\n'), 'header line'],
  ['a vertical tab in a length', 'HTTP/1.1 200 OK\r\ncontent-length: 2,\v2\r\n\r\nok', 'header line'],
  ['a vertical tab in a fold', headed('a: b\r\n \vc\r\n'), 'header line'],
  ['a DEL in a value', headed('a: b\x7f\r\n'), 'header line'],
  ['a NUL in the status line', 'HTTP/1.1 200 O\0K\r\ncontent-length: 0\r\n\r\n', 'not HTTP'],
  ['a bare line feed after the status, at once', 'HTTP/1.1 200 OK\n', 'line feed'],
  ['a bare line feed after a line, at once', 'HTTP/1.1 200 OK\r\na: b\n', 'line feed'],
  ['a bare line feed as the end of a head', 'HTTP/1.1 200 OK\r\na: b\r\n\n', 'line feed'],
  ['a line feed first', '\nHTTP/1.1 200 OK\r\n\r\n', 'line feed'],
  ['a bare line feed after a size', chunked('2\nok\r\n'), 'line feed'],
  ['a vertical tab after a size', chunked('2\v\r\nok\r\n'), 'without a size'],
  ['a NUL in an extension', chunked('2;a=\0\r\nok\r\n'), 'without a size'],
  ['a chunk that lies, at once', chunked('2\r\nokay'), 'longer than it said'],
  ['a chunk that ends with a bare line feed', chunked('2\r\nok\n'), 'longer than it said'],
  ['a trailer that is no header', chunked('0\r\nnonsense\r\n\r\n'), 'header line'],
  ['a trailer with a bare line feed', chunked('0\r\na: b\n\r\n'), 'line feed'],
  ['endless trailers', chunked(`0\r\n${'x-trailer: 1\r\n'.repeat(1_000)}`), 'endless trailers'],
  ['an endless trailer', chunked(`0\r\nx-trailer: ${'1'.repeat(5_000)}`), 'endless line'],
  ['one line too many', headed('x: y\r\n'.repeat(256)), 'more than 256'],
  ['one line too many, before the head has ended', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(257)}`, 'more than 256'],
  ['8,000 lines', headed('x: y\r\n'.repeat(8_000)), 'more than 256'],
  ['a head of 64 KB', headed(`x: ${'y'.repeat(65_536)}\r\n`), 'endless head'],
  ['announcements without an answer', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(17), 'endless announcements'],
  ['something else than HTTP', 'SSH-2.0-OpenSSH', 'not HTTP'],
  ['a status that is no number', 'HTTP/1.1 okay\r\n\r\n', 'not HTTP'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n', 'without a size'],
  ['a negative size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-5\r\n', 'without a size'],
  ['an absurd size', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'f'.repeat(16)}\r\n`, 'without a size'],
  ['a chunk that lies', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n', 'longer than it said'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 'impossible length'],
  ['a length of spaces', `HTTP/1.1 200 OK\r\ncontent-length: 1${' '.repeat(60_000)}1\r\n\r\n`, 'impossible length'],
  ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n', 'impossible length'],
  ['an unknown coding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n', 'transfer encoding'],
  ['an endless head', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`, 'endless head'],
  ['an endless size', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(5_000)}`, 'endless line'],
])('%s is refused', (_, text, reason) => {
  expect(() => read([Buffer.from(text, 'latin1')])).toThrow(reason)
})

test('chunked encoding takes precedence over a length, according to the standard', () => {
  const text = 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'
  expect(whole(text)).toMatchObject({ body: 'ok', over: true })
})
