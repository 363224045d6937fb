import { expect, test } from 'bun:test'
import { createUnknownCallers } from './unknown-callers.ts'

test('the address that was idle for longest is forgotten first', () => {
  const callers = createUnknownCallers({ now: () => 5000 }, 2)
  for (const address of ['a', 'b', 'a', 'c', 'a']) callers.count(address)
  expect(callers.list().callers.map(({ address, count }) => [address, count])).toEqual([
    ['a', 3],
    ['c', 1],
  ])
})
