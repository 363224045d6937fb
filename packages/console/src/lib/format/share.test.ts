import { expect, test } from 'bun:test'
import { shareText } from './share.ts'

test('a share is shown to a tenth of a percent, and is never rounded to none or all', () => {
  expect(shareText({ failed: 3, calls: 40 })).toBe('7.5%')
  expect(shareText({ failed: 0, calls: 40 })).toBe('0%')
  expect(shareText({ failed: 40, calls: 40 })).toBe('100%')
  expect(shareText({ failed: 1, calls: 100_000 })).toBe('0.1%')
  expect(shareText({ failed: 99_999, calls: 100_000 })).toBe('99.9%')
})

test('without a number of calls there is no share', () => {
  expect(shareText({ failed: 3, calls: null })).toBe('')
  expect(shareText({ failed: 0, calls: 0 })).toBe('')
})
