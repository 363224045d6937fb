import { expect, test } from 'bun:test'
import type { Dimension } from '@tollgate/contract'
import { aRow } from '../../lib/testing/a-row.ts'
import { rowsBefore } from './compare.ts'

const period = (by: Dimension[], times: number[], rows: Parameters<typeof aRow>[0][]) => ({
  ...{ by, times, rows: rows.map((row) => aRow(row)) },
})

test('a model is compared with itself; whether a new one had calls is known if all were named', () => {
  const now = period(['model'], [], [{ model: 'a', calls: 5 }, { model: 'new' }])
  const a = { model: 'a', calls: 2 }
  const callsBefore = (rows: object[]) => {
    const beforeOf = rowsBefore(now, period(['model'], [], rows))
    return now.rows.map((row) => beforeOf(row)?.calls)
  }
  expect(callsBefore([a])).toEqual([2, 0])
  expect(callsBefore([{ other: true, calls: 7 }, a])).toEqual([2, undefined])
})

test('the others of now are compared with all who are not named now, whether they were named then or not', () => {
  const now = period(['user'], [], [{ user: 'ann' }, { user: 'bob' }, { other: true, calls: 9 }])
  const others = (rows: object[]) => {
    const row = now.rows.at(-1)
    return row && rowsBefore(now, period(['user'], [], rows))(row)
  }
  const ann = { user: 'ann', calls: 1 }
  const eve = { user: 'eve', calls: 30, failed: 3, quota: 5, first_byte_p95: 90 }
  const rest = { other: true, calls: 4, failed: 1, quota: 2 }
  expect(others([ann, { user: 'bob', calls: 2 }, eve, rest])).toMatchObject({
    ...{ calls: 34, failed: 4, quota: 7, first_byte_p95: null, other: true },
  })
  expect(others([ann, eve])).toMatchObject({ calls: 30 })
  // Bob may be among the rest.
  expect(others([ann, eve, rest])).toBeUndefined()
})

test('a day is compared with the day at the same position of its period', () => {
  const now = period(
    ['time', 'model'],
    [300, 400],
    [
      { time: 400, model: 'a' },
      { time: 300, model: 'a' },
    ],
  )
  const before = period(['time', 'model'], [100, 200], [{ time: 200, model: 'a', calls: 8 }])
  const beforeOf = rowsBefore(now, before)
  expect(now.rows.map((row) => beforeOf(row)?.calls)).toEqual([8, 0])
  const shorter = rowsBefore(now, { ...before, times: [200] })
  expect(now.rows.map((row) => shorter(row)?.calls)).toEqual([undefined, 8])
})

test('keys of two users with the same name are different', () => {
  const now = period(['key'], [], [{ key: 'default', user: 'bob' }])
  const before = period(['key'], [], [{ key: 'default', user: 'alice', calls: 3 }])
  expect(now.rows.map((row) => rowsBefore(now, before)(row)?.calls)).toEqual([0])
})

test('with two dimensions both have to match', () => {
  const now = period(
    ['user', 'model'],
    [],
    [
      { user: 'bob', model: 'a' },
      { user: 'bob', other: true },
    ],
  )
  const before = period(
    ['user', 'model'],
    [],
    [
      { user: 'eve', model: 'a', calls: 4 },
      { user: 'bob', other: true, calls: 6 },
    ],
  )
  expect(now.rows.map((row) => rowsBefore(now, before)(row)?.calls)).toEqual([undefined, undefined])
  const apart = period(['user', 'model'], [], [{ user: 'bob', model: 'a', calls: 2 }, ...before.rows.slice(1)])
  expect(now.rows.map((row) => rowsBefore(now, apart)(row)?.calls)).toEqual([2, 6])
})
