import { expect, test } from 'bun:test'
import { ApiError } from './api-error.ts'
import { describeFailure } from './failure.ts'

test.each([
  [200, 'error', '余额不足'],
  [403, 'error', '错误：余额不足'],
  [429, 'error', '错误：请求次数过多，请稍后再试'],
  [500, 'error', '错误：服务器内部错误，请联系管理员'],
  [405, 'info', '本站仅作演示之用，无服务端'],
] as const)('a %p has the message of the catalogue [R8.01 R8.02 R8.03 R8.04]', (status, kind, message) => {
  expect(describeFailure(new ApiError('余额不足', status))).toEqual({ kind, message })
})

test('a failure without an answer is shown by its message, or as it is [R8.05]', () => {
  expect(describeFailure(new TypeError('Failed to fetch')).message).toBe('错误：Failed to fetch')
  expect(describeFailure('broken').message).toBe('错误：broken')
})
