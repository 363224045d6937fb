import { expect, test } from 'bun:test'
import type { ShownPrice } from '@tollgate/contract'
import { AMOUNTS, rangeOf } from './price-text.ts'

const price = (fields: Partial<ShownPrice>): ShownPrice => ({
  ...{ source: 'library', unit: 'tokens', each: 0, input: 0, cached: 0, output: 0, request: 0 },
  ...fields,
})

test('a single price is a range of one, several span from the lowest to the highest', () => {
  const [cheap, dear] = [price({ input: 5, output: 20 }), price({ input: 7, output: 18 })]
  expect(rangeOf([cheap], AMOUNTS.input)).toEqual([5, 5])
  expect(rangeOf([dear, cheap], AMOUNTS.input)).toEqual([5, 7])
  expect(rangeOf([dear, cheap], AMOUNTS.output)).toEqual([18, 20])
})

test('a free model costs 0, and a model that is not sold by the token has no token price', () => {
  expect(rangeOf([price({})], AMOUNTS.input)).toEqual([0, 0])
  expect(rangeOf([price({ request: 9 })], AMOUNTS.input)).toBeUndefined()
  expect(rangeOf([price({ request: 9 })], AMOUNTS.request)).toEqual([9, 9])
  const video = price({ unit: 'second', each: 50_000, input: 3 })
  expect(rangeOf([video], AMOUNTS.input)).toBeUndefined()
  expect(rangeOf([video], AMOUNTS.each)).toEqual([50_000, 50_000])
})

test('a fee per call is shown beside the token price', () => {
  const search = price({ input: 5, output: 20, request: 9 })
  expect(rangeOf([search], AMOUNTS.input)).toEqual([5, 5])
  expect(rangeOf([search], AMOUNTS.request)).toEqual([9, 9])
})
