import { expect, test } from 'bun:test'
import { AnswerReader } from './answer-reader.ts'

/** What a reader makes of these bytes when they come in such pieces. */
const read = (pieces: readonly Buffer<ArrayBuffer>[], method = 'POST') => {
  const reader = new AnswerReader()
  reader.expect(method)
  let status = 0
  let type: string | null = null
  const body: Uint8Array[] = []
  let over = false
  for (const piece of pieces) {
    // A copy: what has arrived is the reader's own memory.
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
])('an answer with %s is the same wherever its bytes are cut', (_, text, expected) => {
  const bytes = Buffer.from(text)
  for (let cut = 0; cut <= bytes.length; cut++)
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toMatchObject(expected)
  expect(read(Array.from(bytes, (byte) => Buffer.from([byte])))).toMatchObject(expected)
})

test('several chunks that arrive together are one piece', () => {
  const reader = new AnswerReader()
  reader.expect('POST')
  expect(Buffer.from(reader.push(Buffer.from(CHUNKED)).body ?? []).toString()).toBe('hello, 世界!!!')
})

test('an answer that says no length ends with its connection, which serves nobody again', () => {
  const answer = whole('HTTP/1.1 200 OK\r\n\r\nuntil the end')
  expect(answer).toMatchObject({ body: 'until the end', over: false, closed: true, reusable: false })
})

test('a connection that closes before the length, a chunk or the head is complete breaks off its answer', () => {
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
])('%s is not asked again on the same connection', (_, text) => {
  expect(whole(text)).toMatchObject({ over: true, reusable: false })
})

test('HTTP/1.0 that keeps its connection open is asked again', () => {
  const text = 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n'
  expect(whole(text)).toMatchObject({ over: true, reusable: true })
})

test('bare line feeds, folded values, repeated names and lines that are no headers are borne', () => {
  const reader = new AnswerReader()
  reader.expect('GET')
  const text =
    'HTTP/1.1 200\nX-Folded: one\n  two\nX-Twice: a\nx-twice: b\nnonsense\ncontent-length: 2, 2\ncontent-type : text/x\n\nok'
  const { head, body, over } = reader.push(Buffer.from(text))
  const values = ['x-folded', 'x-twice', 'content-type', 'absent'].map((name) => head?.headers.get(name))
  expect(values).toEqual(['one two', 'a, b', 'text/x', null])
  expect({ body: Buffer.from(body ?? []).toString(), over }).toEqual({ body: 'ok', over: true })
})

test.each([
  ['something else than HTTP', 'SSH-2.0-OpenSSH', 'not HTTP'],
  ['a status that is no number', 'HTTP/1.1 okay\r\n\r\n', 'not HTTP'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n', 'without a size'],
  ['a negative size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-5\r\n', 'without a size'],
  ['an absurd size', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'f'.repeat(16)}\r\n`, 'without a size'],
  ['a chunk that lies', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n', 'longer than it said'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 'impossible length'],
  ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n', 'impossible length'],
  ['an unknown coding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n', 'transfer encoding'],
  ['an endless head', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(60_000)}`, 'endless head'],
  ['an endless size', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(5_000)}`, 'endless line'],
])('%s is refused', (_, text, reason) => {
  expect(() => whole(text)).toThrow(reason)
})

test('chunks win over a length, as the standard has it', () => {
  const text = 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'
  expect(whole(text)).toMatchObject({ body: 'ok', over: true })
})
