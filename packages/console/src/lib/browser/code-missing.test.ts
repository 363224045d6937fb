import { expect, test } from 'bun:test'
import { isCodeMissing } from './code-missing.ts'

test.each([
  'Unable to preload CSS for /assets/channels-page-1.css',
  'Failed to fetch dynamically imported module: http://x/assets/a.js',
  'error loading dynamically imported module: http://x/assets/a.js',
  'Importing a module script failed.',
])('%p is a script that could not be loaded', (message) => expect(isCodeMissing(new TypeError(message))).toBe(true))

test('an error of the page itself is not a missing script', () => {
  expect(isCodeMissing(new TypeError('x is not a function'))).toBe(false)
  expect(isCodeMissing('Unable')).toBe(false)
})
