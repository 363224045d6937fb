import { expect, test } from 'bun:test'
import type { RoutePlace } from '@tollgate/contract'
import { sharedPlaces } from './places.ts'

const place = (model: string, fields: Partial<RoutePlace> = {}): RoutePlace => ({
  ...{ group: 'default', model, level: 1, levels: 2, share: 0.5, beside: 1, names: ['a'] },
  ...fields,
})

test('models with the same place in the order are listed together, by group', () => {
  const shared = sharedPlaces([place('x'), place('y', { share: 1 }), place('z'), place('x', { group: 'vip' })])
  expect(shared.map(({ group, share, models }) => [group, share, models])).toEqual([
    ['default', 0.5, ['x', 'z']],
    ['default', 1, ['y']],
    ['vip', 0.5, ['x']],
  ])
  expect(sharedPlaces([])).toEqual([])
})
