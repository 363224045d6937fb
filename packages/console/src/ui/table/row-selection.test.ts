import { expect, test } from 'bun:test'
import { pageToggled, toggled } from './row-selection.ts'

const pageIds = [9, 7, 5, 3]

test('a click selects a row and another one deselects it; with Shift all rows in between follow the clicked one', () => {
  const one = toggled(new Set([40]), { id: 7, pageIds, last: undefined })
  expect([...one]).toEqual([40, 7])
  expect([...toggled(one, { id: 3, pageIds, last: 7 })]).toEqual([40, 7, 5, 3])
  expect([...toggled(new Set([3]), { id: 9, pageIds, last: 5 })].toSorted()).toEqual([3, 5, 7, 9])
  expect([...toggled(new Set([40, 9, 7, 5]), { id: 9, pageIds, last: 7 })]).toEqual([40, 5])
})

test('a range that begins on another page is only the clicked row', () => {
  expect([...toggled(new Set([40]), { id: 5, pageIds, last: 40 })]).toEqual([40, 5])
})

test('the checkbox of the page selects all its rows, or deselects them if all are selected', () => {
  const all = pageToggled(new Set([40, 7]), pageIds)
  expect([...all].toSorted((a, b) => a - b)).toEqual([3, 5, 7, 9, 40])
  expect([...pageToggled(all, pageIds)]).toEqual([40])
})
