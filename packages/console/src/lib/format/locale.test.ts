import { expect, test } from 'bun:test'
import { defaultLocale } from './locale.ts'

test('before a choice the language is the site’s, or the browser’s if the site says so', () => {
  expect(defaultLocale('zh', ['en-US'])).toBe('zh-CN')
  expect(defaultLocale('en', ['zh-CN'])).toBe('en')
  expect(defaultLocale('browser', ['de', 'en-GB', 'zh'])).toBe('en')
  expect(defaultLocale('browser', ['zh-TW', 'en'])).toBe('zh-CN')
  expect(defaultLocale('browser', ['fr'])).toBe('zh-CN')
})
