import { expect, test } from 'bun:test'
import { withIdleTimeout } from './idle-timeout.ts'
import { asReply } from './reply.ts'

/** The calls to the deadline while a body of these chunks is read to its end. */
async function deadlineCalls(pieces: readonly string[], type: string) {
  const words: string[] = []
  const deadline = { extend: () => words.push('extend'), reopen: () => words.push('reopen') }
  const encoder = new TextEncoder()
  let at = 0
  const reply = withIdleTimeout(
    {
      ...asReply(new Response('', { headers: { 'content-type': type } })),
      read: async () => (at < pieces.length ? encoder.encode(pieces[at++]) : undefined),
    },
    deadline,
  )
  while ((await reply.read()) !== undefined);
  return words
}

test('a body that has begun has the idle timeout of a stream until its next chunk', async () => {
  expect(await deadlineCalls(['{"a":', '1', '}'], 'application/json')).toEqual(['extend', 'extend', 'extend', 'reopen'])
})

test('blanks before a body extend the time to the first byte, and within it are part of it', async () => {
  expect(await deadlineCalls(['\n', ' \r\n', '{', '\n', '}'], 'application/json')).toEqual([
    ...['reopen', 'reopen', 'extend', 'extend', 'extend', 'reopen'],
  ])
})

test('after a body the next answer, such as that of a task, has the full time again', async () => {
  expect((await deadlineCalls(['{}'], 'application/json')).at(-1)).toBe('reopen')
  expect(await deadlineCalls([], 'application/json')).toEqual(['reopen'])
})

test('a stream of events is left to its forwarder', async () => {
  expect(await deadlineCalls(['data: 1\n\n'], 'Text/Event-Stream; charset=utf-8')).toEqual([])
})
