import { expect, test } from 'bun:test'
import type { User } from '@tollgate/contract'
import { adminInput, isShortPassword, profileInput, toEdit, toValues } from './user-values.ts'

const user: User = {
  id: 7,
  username: 'alice',
  display_name: 'Alice',
  role: 1,
  status: 1,
  email: '',
  github_id: '',
  wechat_id: '',
  lark_id: '',
  group: 'vip, default',
  quota: 1200,
  used_quota: 0,
  request_count: 0,
  aff_code: 'abcd',
  rate_limits: { rpm: 5 },
  inviter_id: 0,
  created_time: 0,
}

test('the groups keep their order, and none means default [R3.04]', () => {
  expect(toValues(user).group).toEqual(['vip', 'default'])
  expect(adminInput({ ...toValues(user), group: ['svip', 'vip'] }).group).toBe('svip,vip')
  expect(adminInput({ ...toValues(user), group: [] }).group).toBe('default')
})

test('quota is sent as an integer beside the value that was shown [R5.18]', () => {
  expect(adminInput({ ...toValues(user), quota: 1500.7 })).toMatchObject({ quota: 1500, quota_base: 1200 })
})

test('an edit sends what was changed, and a balance only with the one that was shown', () => {
  const values = toValues(user)
  expect(toEdit(values, user)).toEqual({})
  expect(toEdit({ ...values, display_name: 'Al', rate_limits: {} }, user)).toEqual({
    display_name: 'Al',
    rate_limits: {},
  })
  expect(toEdit({ ...values, quota: 1500, password: '12345678' }, user)).toEqual({
    ...{ quota: 1500, quota_base: 1200, password: '12345678' },
  })
})

test('an overdrawn balance is edited from zero', () => {
  expect(toValues({ ...user, quota: -30 }).quota).toBe(0)
})

test('a password that was not typed is not sent', () => {
  expect(profileInput(toValues(user))).toEqual({ username: 'alice', display_name: 'Alice' })
  expect(profileInput({ ...toValues(user), password: '12345678' })).toHaveProperty('password', '12345678')
})

test('a password is too short below eight characters, and not when it is left out [R5.17]', () => {
  expect(['', '1234567', '12345678'].map(isShortPassword)).toEqual([false, true, false])
})
