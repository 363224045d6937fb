import { expect, test } from 'bun:test'
import { logSearchOf, rowSpan } from './usage-links.ts'

const span = { start: 100, end: 200 }

test('a number leads to the calls that it counts, up to the last second', () => {
  expect(logSearchOf({ model: 'gpt-4.1', user: 'bob', key: 'web', channel: 3, outcome: 'timeout' }, span, 2)).toEqual({
    ...{ type: 2, model_name: 'gpt-4.1', username: 'bob', token_name: 'web', channel: 3, outcome: 'timeout' },
    ...{ start: 100, end: 199 },
  })
})

test('where the log cannot be narrowed to the same calls, there is no way to it', () => {
  expect(logSearchOf({ group: 'vip' }, span)).toBeUndefined()
})

test('a row of a step counts from its beginning to that of the next', () => {
  const usage = { times: [90, 130, 160], ...span }
  const of = (time?: number) => Object.values(rowSpan({ time }, usage))
  expect([of(90), of(130), of(160), of()]).toEqual([
    [100, 130],
    [130, 160],
    [160, 200],
    [100, 200],
  ])
})
