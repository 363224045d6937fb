import { expect, test } from 'bun:test'
import { isCodeMissing } from './code-missing.ts'

test.each([
  'Unable to preload CSS for /assets/channels-page-1.css',
  'Failed to fetch dynamically imported module: http://x/assets/a.js',
  'error loading dynamically imported module: http://x/assets/a.js',
  'Importing a module script failed.',
])('%p is code that did not arrive', (message) => expect(isCodeMissing(new TypeError(message))).toBe(true))

test('a mistake of the page itself is none', () => {
  expect(isCodeMissing(new TypeError('x is not a function'))).toBe(false)
  expect(isCodeMissing('Unable')).toBe(false)
})
