import { expect, test } from 'bun:test'
import { pageToggled, toggled } from './row-selection.ts'

const pageIds = [9, 7, 5, 3]

test('a click chooses a row and another one leaves it out; with Shift all between follow the clicked one', () => {
  const one = toggled(new Set([40]), { id: 7, pageIds, last: undefined })
  expect([...one]).toEqual([40, 7])
  expect([...toggled(one, { id: 3, pageIds, last: 7 })]).toEqual([40, 7, 5, 3])
  expect([...toggled(new Set([3]), { id: 9, pageIds, last: 5 })].toSorted()).toEqual([3, 5, 7, 9])
  expect([...toggled(new Set([40, 9, 7, 5]), { id: 9, pageIds, last: 7 })]).toEqual([40, 5])
})

test('a range that begins on another page is the clicked row alone', () => {
  expect([...toggled(new Set([40]), { id: 5, pageIds, last: 40 })]).toEqual([40, 5])
})

test('the box of the page chooses all its rows, and when they all are, none of them', () => {
  const all = pageToggled(new Set([40, 7]), pageIds)
  expect([...all].toSorted((a, b) => a - b)).toEqual([3, 5, 7, 9, 40])
  expect([...pageToggled(all, pageIds)]).toEqual([40])
})
