import { expect, test } from 'bun:test'
import { zh } from '../../text/zh/labels.ts'
import {
  channelStatusLabel,
  logTypeLabel,
  redemptionStatusLabel,
  roleLabel,
  tokenStatusLabel,
  userStatusLabel,
} from './labels.ts'

const texts = (label: typeof roleLabel, values: number[]) => values.map((value) => label(value, zh).text)

test('roles have labels, and any other number is unknown [R4.05]', () => {
  expect(texts(roleLabel, [1, 10, 100, 7])).toEqual(['普通用户', '管理员', '超级管理员', '未知身份'])
})

test('the statuses of users, tokens, channels and codes have labels [R4.06 R4.07 R4.09 R4.11]', () => {
  expect(texts(userStatusLabel, [1, 2, 9])).toEqual(['已激活', '已封禁', '未知状态'])
  expect(texts(tokenStatusLabel, [1, 2, 3, 4, 9])).toEqual(['已启用', '已禁用', '已过期', '已耗尽', '未知状态'])
  expect(texts(channelStatusLabel, [1, 2, 3, 9])).toEqual(['已启用', '已手动禁用', '已自动禁用', '未知状态'])
  expect(texts(redemptionStatusLabel, [1, 2, 3, 9])).toEqual(['未使用', '已禁用', '已使用', '未知状态'])
})

test('log types have labels [R4.13]', () => {
  expect(texts(logTypeLabel, [1, 2, 3, 4, 5, 6])).toEqual(['充值', '消费', '管理', '系统', '测试', '失败'])
})
