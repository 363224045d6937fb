import { expect, test } from 'bun:test'
import { addressTakenMail, channelStateMail, quotaReminderMail, resetMail, verificationMail } from './mail-templates.ts'

const EVIL = `<img src=x onerror="alert('1')">&amp;`
const zh = { language: 'zh', systemName: 'Tollgate' } as const
const en = { language: 'en', systemName: 'Tollgate' } as const
const link = 'https://gate.example.com/user/reset?email=a%2Bb%40example.com&token=abc'

const everyMail = (common: { language: 'zh' | 'en'; systemName: string }, value: string) => [
  verificationMail({ ...common, code: value }),
  addressTakenMail(common),
  resetMail({ ...common, username: value, link: value }),
  quotaReminderMail({ ...common, username: value, state: 'low', amount: value, link: value }),
  quotaReminderMail({ ...common, username: value, state: 'empty', amount: value, link: value }),
  channelStateMail({ ...common, channel: { id: 3, name: value }, change: 'disabled', reason: value }),
]

test('no inserted value becomes markup', () => {
  for (const language of ['zh', 'en'] as const)
    for (const mail of everyMail({ language, systemName: EVIL }, EVIL)) {
      expect(mail.html).not.toContain('<img')
      expect(mail.html).not.toContain('onerror="')
      expect(mail.html).toContain('&lt;img')
    }
})

test('every mail has the system’s name in its subject, and the same content as plain text and HTML', () => {
  for (const mail of everyMail(zh, '值').concat(everyMail(en, 'value'))) {
    expect(mail.subject).toMatch(/^(【Tollgate】|\[Tollgate\] )\S/)
    expect(mail.text).not.toMatch(/<[a-z]/)
    const sentences = mail.text.split('\n').filter((line) => /[。.：:]$/.test(line))
    expect(sentences.length).toBeGreaterThan(1)
    for (const sentence of sentences) expect(mail.html).toContain(Bun.escapeHTML(sentence))
  }
})

test('a code is shown with its validity', () => {
  const mail = verificationMail({ ...zh, code: '482913' })
  expect(mail.subject).toBe('【Tollgate】邮箱验证码')
  expect(mail.html).toContain('>482913<')
  expect(mail.text).toContain('482913')
  expect(mail.text).toContain('10 分钟')
  expect(verificationMail({ ...en, code: '482913' }).text).toContain('10 minutes')
})

test('a registered address gets a notice instead of a code', () => {
  const mail = addressTakenMail(zh)
  expect(mail.subject).toBe('【Tollgate】该邮箱已注册')
  expect(mail.text).not.toMatch(/\d/)
})

test('a reset link is intact in both formats', () => {
  const mail = resetMail({ ...zh, username: 'alice', link })
  expect(mail.text).toContain(link)
  expect(mail.html).toContain(`href="${link.replace('&', '&amp;')}"`)
  expect(mail.text).toContain('30 分钟')
  expect(mail.text).toContain('alice')
})

test('a quota reminder distinguishes low from exhausted', () => {
  const values = { username: 'alice', amount: '$0.12', link: 'https://gate.example.com/topup' }
  expect(quotaReminderMail({ ...zh, ...values, state: 'low' }).subject).toBe('【Tollgate】额度即将用尽')
  expect(quotaReminderMail({ ...zh, ...values, state: 'empty' }).subject).toBe('【Tollgate】额度已用尽')
  const mail = quotaReminderMail({ ...en, ...values, state: 'empty' })
  expect(mail.subject).toBe('[Tollgate] Your quota has run out')
  expect(mail.text).toContain('$0.12 left')
  expect(mail.text).toContain('https://gate.example.com/topup')
})

test('a channel notice names the channel, what happened and why', () => {
  const channel = { id: 3, name: '备用' }
  const off = channelStateMail({ ...zh, channel, change: 'disabled', reason: '密钥无效' })
  expect(off.text).toContain('渠道「备用」（#3）已被自动禁用。\n\n原因：密钥无效')
  expect(channelStateMail({ ...zh, channel, change: 'enabled', reason: '' }).text).not.toContain('原因')
  const slow = channelStateMail({ ...en, channel, change: 'failing', reason: 'It took 9000 ms' })
  expect(slow.subject).toBe('[Tollgate] Channel "备用" (#3) needs attention')
  expect(slow.text).toContain('its status is unchanged.\n\nReason: It took 9000 ms')
})
