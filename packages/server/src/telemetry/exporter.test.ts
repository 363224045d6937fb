import { expect, test } from 'bun:test'
import { createLog } from '../common/log.ts'
import { createExporter, type Post } from './exporter.ts'
import type { Span } from './otlp-json.ts'
import { createSpanQueue } from './span-queue.ts'

const log = createLog(() => {})

/** Gives one answer after the other, then repeats the last. */
const answering = (
  ...answers: (number | { status: number; headers?: Record<string, string>; text?: string } | Error)[]
) => {
  const bodies: string[] = []
  const post: Post = async (body) => {
    bodies.push(body)
    const next = answers[Math.min(bodies.length, answers.length) - 1] ?? 200
    if (next instanceof Error) throw next
    const { status, headers = {}, text = '' } = typeof next === 'number' ? { status: next } : next
    return { status, headers: new Headers(headers), text }
  }
  return { bodies, post }
}

const exporterTo = (post: Post) => createExporter({ post, log, what: 'traces', firstRetryMs: 1 })

test('what a collector cannot accept now is sent again, and what it refuses is not', async () => {
  for (const status of [429, 502, 503, 504]) {
    const { post, bodies } = answering({ status, headers: { 'retry-after': '0' } }, new Error('reset'), 200)
    expect(await exporterTo(post).send('spans', 7)).toBe(7)
    expect(bodies).toEqual(['spans', 'spans', 'spans'])
  }
  for (const status of [400, 401, 404, 500]) {
    const { post, bodies } = answering(status)
    expect(await exporterTo(post).send('spans', 7)).toBe(0)
    expect(bodies).toHaveLength(1)
  }
})

test('after five attempts it gives up, and what a collector rejects of a body is counted as lost', async () => {
  const { post, bodies } = answering(503)
  expect(await exporterTo(post).send('spans', 7)).toBe(0)
  expect(bodies).toHaveLength(5)
  const partly = answering({ status: 200, text: '{"partialSuccess":{"rejectedSpans":"3"}}' })
  expect(await exporterTo(partly.post).send('spans', 7)).toBe(4)
})

test('closing ends the wait for the next attempt', async () => {
  const { post, bodies } = answering({ status: 503, headers: { 'retry-after': '3600' } })
  const exporter = exporterTo(post)
  const sent = exporter.send('spans', 1)
  while (bodies.length === 0) await Bun.sleep(1)
  await Bun.sleep(0)
  exporter.close()
  expect(await sent).toBe(0)
  expect(bodies.length).toBeLessThanOrEqual(2)
})

test('a queue is bounded: the excess is dropped and counted, and the rest arrives in order', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const batches: string[][] = []
  const queue = createSpanQueue({
    everyMs: 60_000,
    async send(spans) {
      await released
      batches.push(spans.map(({ name }) => name))
      return spans.length
    },
  })
  for (let index = 0; index < 3000; index++) queue.add(span(String(index)))
  expect(queue.dropped()).toBe(3000 - 512 - 2048)
  release()
  await queue.flush()
  queue.stop()
  expect(batches.map((batch) => batch.length)).toEqual([512, 512, 512, 512, 512])
  expect(batches.flat().slice(0, 3)).toEqual(['0', '1', '2'])
  expect(queue.dropped()).toBe(440)
})

const span = (name: string): Span => ({
  ...{ name, kind: 2, traceId: '1'.repeat(32), spanId: '1'.repeat(16), parentSpanId: undefined, state: '' },
  ...{ startMs: 0, endMs: 1, attributes: {}, isError: false },
})
