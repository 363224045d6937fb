import { expect, test } from 'bun:test'
import type { OptionKey } from '@tollgate/contract'
import { type OptionChange, saveOneByOne, secretMoved } from './save-options.ts'

const change = (key: OptionKey, value = 'x'): OptionChange => ({ key, value })

test('options are saved one by one, and one failure does not affect the others [R7.35]', async () => {
  const sent: string[] = []
  const { saved, failed } = await saveOneByOne(
    [change('SMTPPort'), change('SMTPAccount'), change('SMTPFrom')],
    async ({ key }) => {
      sent.push(key)
      if (key === 'SMTPAccount') throw new Error('refused')
    },
  )
  expect(sent).toEqual(['SMTPPort', 'SMTPAccount', 'SMTPFrom'])
  expect(saved.map(({ key }) => key)).toEqual(['SMTPPort', 'SMTPFrom'])
  expect(failed).toEqual([{ key: 'SMTPAccount', error: new Error('refused'), skipped: false }])
})

test('a secret is not stored when its address was refused', async () => {
  const sent: string[] = []
  const { failed } = await saveOneByOne([change('SMTPServer'), change('SMTPToken')], async ({ key }) => {
    sent.push(key)
    throw new Error('refused')
  })
  expect(sent).toEqual(['SMTPServer'])
  expect(failed.at(-1)).toEqual({ key: 'SMTPToken', error: undefined, skipped: true })
})

test('a secret is bound to the host, not to the path', () => {
  const moved = (before: string, now: string) =>
    secretMoved(
      'WeChatServerToken',
      () => before,
      () => now,
    )
  expect(moved('https://wechat.example.com', 'https://wechat.example.com/v2')).toBe(false)
  expect(moved('https://wechat.example.com', 'https://other.example.com')).toBe(true)
  expect(
    secretMoved(
      'GitHubClientSecret',
      () => 'a',
      () => 'b',
    ),
  ).toBe(false)
})
