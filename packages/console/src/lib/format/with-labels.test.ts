import { expect, test } from 'bun:test'
import { en } from '../../text/en/options.ts'
import { zh } from '../../text/zh/options.ts'
import { withLabels } from './with-labels.ts'

test.each([
  ['RetryTimes 的值无效：必须是整数', '「失败重试次数」的值无效：必须是整数'],
  ['请先填写 GitHubClientId', '请先填写「GitHub Client ID」'],
  ['分组倍率必须包含 default', '分组倍率必须包含 default'],
  // A key that is only part of a word is not a key.
  ['没有这项设置：RetryTimesMax', '没有这项设置：RetryTimesMax'],
])('%s reads %s', (message, words) => {
  expect(withLabels(message, zh)).toBe(words)
})

test.each([
  ['The value of RetryTimes is not valid: must be a whole number', 'RetryTimes'],
  ['Set SMTPServer first', 'SMTPServer'],
] as const)('%s uses the setting’s label, in English too', (message, key) => {
  expect(withLabels(message, en)).toBe(message.replace(key, `“${en.label[key]}”`))
})
