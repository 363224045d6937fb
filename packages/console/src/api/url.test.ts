import { expect, test } from 'bun:test'
import { tokens } from '@tollgate/contract'
import { endpointUrl } from './url.ts'

test('parameters are put into the path, escaped', () => {
  expect(endpointUrl(tokens.get, { id: 7 })).toBe('/api/token/7')
  expect(endpointUrl(tokens.get, { id: '../user' })).toBe('/api/token/..%2Fuser')
})

test('a query leaves out what is absent or empty, and keeps 0 and false', () => {
  expect(endpointUrl(tokens.list, {}, { p: 0, order: '', keyword: undefined, flag: false })).toBe(
    '/api/token/?p=0&flag=false',
  )
  expect(endpointUrl(tokens.search, {}, { keyword: 'a&b=c' })).toBe('/api/token/search?keyword=a%26b%3Dc')
})
