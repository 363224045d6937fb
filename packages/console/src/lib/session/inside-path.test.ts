import { expect, test } from 'bun:test'
import { insidePath } from './inside-path.ts'

test('a path of the console is kept with its search', () => {
  expect(insidePath('/log?type=2')).toBe('/log?type=2')
  expect(insidePath('/')).toBe('/')
})

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '',
  '/login?expired=true',
])('%p is not a valid target of a login', (text) => {
  expect(insidePath(text)).toBeUndefined()
})

test('an empty origin is ignored', () => {
  expect(insidePath(undefined)).toBeUndefined()
})
