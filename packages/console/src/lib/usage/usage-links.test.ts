import { expect, test } from 'bun:test'
import { logSearchOf, rowSpan } from './usage-links.ts'

const span = { start: 100, end: 200 }

test('a number leads to the calls that it counts, up to the last second', () => {
  expect(
    logSearchOf({ model: 'gpt-4.1', user: 'bob', key: 'web', channel: 3, outcome: 'timeout' }, span, 'spend'),
  ).toEqual({
    ...{ type: 2, model_name: 'gpt-4.1', username: 'bob', token_name: 'web', channel: 3, outcome: 'timeout' },
    ...{
      offered: 'true',
      group: undefined,
      no_model: undefined,
      no_token: undefined,
      no_group: undefined,
      start: 100,
      end: 199,
    },
  })
  const of = (counted: 'calls' | 'failed') => {
    const { type, outcome } = logSearchOf({ user: 'bob' }, span, counted)
    return [type, outcome]
  }
  expect([of('calls'), of('failed')]).toEqual([
    [7, undefined],
    [undefined, 'failed'],
  ])
  expect(logSearchOf({ outcome: 'timeout' }, span, 'failed').outcome).toBe('timeout')
})

test('a number of calls without a known model, whose key has no name, or whose user has no group, leads to those', () => {
  expect(logSearchOf({ no_model: 'true', no_key: 'true', no_group: 'true' }, span, 'calls')).toMatchObject({
    ...{ model_name: undefined, token_name: undefined, no_model: 'true', no_token: 'true', no_group: 'true' },
  })
})

test('a number of a group leads to the calls of its members, also of one model', () => {
  expect(logSearchOf({ group: 'vip', model: 'gpt-4.1' }, span, 'spend')).toMatchObject({
    ...{ type: 2, group: 'vip', model_name: 'gpt-4.1' },
  })
})

test('a row of a step counts from its beginning to that of the next', () => {
  const [one, two, three] = [3600, 7200, 10_800]
  const usage = { times: [0, two, three], start: one, end: 14_400 }
  const of = (time?: number) => Object.values(rowSpan({ time }, usage))
  expect([of(0), of(two), of(three), of()]).toEqual([
    [one, two],
    [two, three],
    [three, 14_400],
    [one, 14_400],
  ])
})

test('a day that begins within an hour counts from the next hour on, as its figures do', () => {
  const [first, second] = [1_794_594_600, 1_794_681_000]
  const usage = { times: [first, second], start: first + 1800, end: second + 3 * 3600 - 1800 }
  expect(Object.values(rowSpan({ time: first }, usage))).toEqual([first + 1800, second + 1800])
  expect(Object.values(rowSpan({ time: second }, usage))).toEqual([second + 1800, usage.end])
})
