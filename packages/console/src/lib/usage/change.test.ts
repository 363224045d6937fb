import { expect, test } from 'bun:test'
import { pointsChange, relativeChange } from './change.ts'

test('a figure is compared with the preceding period as a percentage', () => {
  expect(relativeChange(120, 100)).toEqual({ direction: 'up', text: '+20%' })
  expect(relativeChange(95.5, 100)).toEqual({ direction: 'down', text: '−4.5%' })
  expect(relativeChange(0, 100)).toEqual({ direction: 'down', text: '−100%' })
  expect(relativeChange(100.01, 100)).toEqual({ direction: 'same', text: '0%' })
  expect(relativeChange(109.96, 100)).toEqual({ direction: 'up', text: '+10%' })
})

test('after zero there is no percentage, and beyond tenfold it is capped', () => {
  expect(relativeChange(5, 0)).toBeUndefined()
  expect(relativeChange(0, 0)).toBeUndefined()
  expect(relativeChange(null, 3)).toBeUndefined()
  expect(relativeChange(3, null)).toBeUndefined()
  expect(relativeChange(5000, 1)).toEqual({ direction: 'up', text: '>+999%' })
})

test('a percentage changes by points, also from zero', () => {
  expect(pointsChange(0.03, 0.02)).toEqual({ direction: 'up', text: '+1' })
  expect(pointsChange(0.015, 0)).toEqual({ direction: 'up', text: '+1.5' })
  expect(pointsChange(0, 0.25)).toEqual({ direction: 'down', text: '−25' })
  expect(pointsChange(0.2, 0.2)).toEqual({ direction: 'same', text: '0' })
  expect(pointsChange(null, 0.2)).toBeUndefined()
})
