import { expect, test } from 'bun:test'
import { changedMembers } from './changed-members.ts'

test('only members with another value are left, whatever their type', () => {
  const before = { name: 'a', tag: '', limits: { rpm: 1 }, models: ['x'], off: null, days: 0 }
  expect(changedMembers(before, { ...before, limits: { rpm: 1 }, models: ['x'] })).toEqual({})
  expect(changedMembers<object>(before, { ...before, tag: 'b', limits: {}, off: false, days: null })).toEqual({
    tag: 'b',
    limits: {},
    off: false,
    days: null,
  })
  expect(changedMembers<object>(before, { ...before, key: 'typed' })).toEqual({ key: 'typed' })
})
