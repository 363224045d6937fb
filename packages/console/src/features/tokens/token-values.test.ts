import { expect, test } from 'bun:test'
import type { Token } from '@tollgate/contract'
import { isExpiry, NEW_TOKEN, toEdit, toInput, toValues } from './token-values.ts'

const token: Token = {
  id: 3,
  user_id: 1,
  name: 'web',
  key: 'k',
  status: 1,
  created_time: 1,
  accessed_time: 1,
  expired_time: 1_900_000_000,
  remain_quota: 70,
  unlimited_quota: false,
  used_quota: 0,
  models: 'a,b',
  subnet: '10.0.0.0/8',
  rate_limits: { rpm: 60, models: { a: { concurrency: 2 } } },
  admin_rate_limits: {},
  fallback: false,
  recording: { scope: 'errors', share: 10, days: 3, size: 64 },
  recording_request: null,
  blocked: false,
  blocked_reason: '',
}

test('a new token never expires, is not restricted, and has the default quota [R5.24 R5.25 R5.26]', () => {
  expect(toInput({ ...NEW_TOKEN, name: ' web ' })).toEqual({
    name: 'web',
    remain_quota: 500_000,
    unlimited_quota: false,
    expired_time: -1,
    models: '',
    subnet: '',
    rate_limits: {},
    fallback: true,
    recording: null,
  })
})

test('an unchanged edit is sent as it was [R5.24 R5.26]', () => {
  expect(toInput(toValues(token))).toEqual({
    name: 'web',
    remain_quota: 70,
    unlimited_quota: false,
    expired_time: 1_900_000_000,
    models: 'a,b',
    subnet: '10.0.0.0/8',
    rate_limits: { rpm: 60, models: { a: { concurrency: 2 } } },
    fallback: false,
    recording: { scope: 'errors', share: 10, days: 3, size: 64 },
  })
})

test('an edit sends what was changed, and a quota only with the one that was shown [R5.26]', () => {
  const values = toValues(token)
  expect(toEdit(values, token)).toEqual({})
  expect(toEdit({ ...values, name: 'other', models: ['a'] }, token)).toEqual({ name: 'other', models: 'a' })
  expect(toEdit({ ...values, remain_quota: 100 }, token)).toEqual({ remain_quota: 100, remain_quota_base: 70 })
  expect(toEdit({ ...values, unlimited_quota: true }, token)).toEqual({
    ...{ unlimited_quota: true, remain_quota: 70, remain_quota_base: 70 },
  })
  expect(toEdit({ ...values, remain_quota: 5 }, { ...token, remain_quota: -3 })).toEqual({
    ...{ remain_quota: 5, remain_quota_base: 0 },
  })
})

test('recordings are deleted only together with turning recording off', () => {
  const values = { ...toValues(token), delete_recordings: true }
  expect(toEdit(values, token)).toEqual({})
  expect(toEdit({ ...values, recording: null }, token)).toEqual({ recording: null, delete_recordings: true })
})

test('an empty expiry means never; anything else must be a date [R5.23]', () => {
  expect(isExpiry('')).toBe(true)
  expect(isExpiry('2030-01-01 00:00:00')).toBe(true)
  expect(isExpiry('soon')).toBe(false)
})
