import { expect, test } from 'bun:test'
import type { Dimension } from '@tollgate/contract'
import { aRow } from '../../lib/testing/a-row.ts'
import { rowsBefore } from './compare.ts'

const period = (by: Dimension[], times: number[], rows: Parameters<typeof aRow>[0][]) => ({
  ...{ by, times, rows: rows.map((row) => aRow(row)) },
})

test('a model is compared with itself, and a new one with nothing', () => {
  const now = period(['model'], [], [{ model: 'a', calls: 5 }, { model: 'new' }, { other: true, calls: 9 }])
  const before = period(
    ['model'],
    [],
    [
      { other: true, calls: 7 },
      { model: 'a', calls: 2 },
    ],
  )
  const beforeOf = rowsBefore(now, before)
  expect(now.rows.map((row) => beforeOf(row)?.calls)).toEqual([2, undefined, 7])
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
  expect(now.rows.map((row) => beforeOf(row)?.calls)).toEqual([8, undefined])
})

test('keys of two users with the same name are different', () => {
  const now = period(['key'], [], [{ key: 'default', user: 'bob' }])
  const before = period(['key'], [], [{ key: 'default', user: 'alice', calls: 3 }])
  expect(now.rows.map((row) => rowsBefore(now, before)(row))).toEqual([undefined])
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
  expect(now.rows.map((row) => rowsBefore(now, before)(row)?.calls)).toEqual([undefined, 6])
})
