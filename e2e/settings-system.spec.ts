import { field } from './support/find.ts'
import { pretendToSave, puts, section } from './support/settings.ts'
import { withStatus } from './support/status.ts'
import { expect, test, toasted } from './support/test.ts'

/* Options belong to the whole site: a test that changes one restores it. */

test.beforeEach(async ({ signInAs, admin }) => signInAs(admin))

test('turning password login off asks for confirmation [R2.69 R4.16]', async ({ page }) => {
  await pretendToSave(page)
  await page.goto('/setting?tab=system')
  const sent = puts(page)
  const toggle = page.getByRole('switch', { name: '允许通过密码进行登录', exact: true })
  await toggle.click({ force: true })
  const dialog = page.getByRole('dialog', { name: '警告', exact: true })
  await expect(dialog).toContainText('未绑定其他登录方式的用户（包括管理员）无法通过密码登录')
  await dialog.getByRole('button', { name: '取消', exact: true }).click()
  await expect(toggle).toBeChecked()
  expect(sent).toEqual([])
  await toggle.click({ force: true })
  await dialog.getByRole('button', { name: '关闭密码登录', exact: true }).click()
  await expect.poll(() => sent).toEqual([{ key: 'PasswordLoginEnabled', value: 'false' }])
})

test('the system tab edits every group of the specification [R2.68 R2.71 R2.74 R2.75 R2.76]', async ({ page }) => {
  await pretendToSave(page)
  await page.goto('/setting?tab=system')
  const sent = puts(page)
  for (const [name, fields, button] of [
    ['SMTP 发信', { 'SMTP 服务器地址': 'smtp.example.com', 'SMTP 账户': 'me' }, '保存 SMTP 设置'],
    ['微信登录', { 'WeChat Server 地址': 'https://wechat.example.com' }, '保存微信设置'],
    ['消息推送', { 'Message Pusher 推送地址': 'https://push.example.com' }, '保存消息推送设置'],
    ['Turnstile 用户校验', { 'Turnstile Site Key': 'site' }, '保存 Turnstile 设置'],
    ['服务器地址', { 服务器地址: 'https://gateway.example.com' }, '更新服务器地址'],
  ] as const) {
    for (const [label, value] of Object.entries(fields)) await field(section(page, name), label).fill(value)
    await section(page, name).getByRole('button', { name: button, exact: true }).click()
  }
  await expect
    .poll(() => sent.map(({ key }) => key))
    .toEqual([
      'SMTPServer',
      'SMTPAccount',
      'WeChatServerAddress',
      'MessagePusherAddress',
      'TurnstileSiteKey',
      'ServerAddress',
    ])
})

test('a secret is shown as set, never displayed, and sent only when typed [R5.14]', async ({ page, root }) => {
  await root.setOption('GitHubClientSecret', 'top-secret')
  await page.goto('/setting?tab=system')
  const github = section(page, 'GitHub 登录')
  const secret = field(github, 'GitHub Client Secret')
  await expect(secret).toHaveValue('')
  await expect(secret).toHaveAttribute('placeholder', '已设置，留空表示不修改')
  await expect(field(section(page, '飞书登录'), 'App Secret')).toHaveAttribute('placeholder', '未设置')
  const sent = puts(page)
  await field(github, 'GitHub Client ID').fill('client')
  await github.getByRole('button', { name: '保存 GitHub 设置', exact: true }).click()
  await toasted(page, '操作成功完成')
  expect(sent).toEqual([{ key: 'GitHubClientId', value: 'client' }])
  await secret.fill('another')
  await github.getByRole('button', { name: '保存 GitHub 设置', exact: true }).click()
  await expect.poll(() => sent.at(-1)).toEqual({ key: 'GitHubClientSecret', value: 'another' })
  await root.setOption('GitHubClientId', '')
})

test('another mail server needs its password again', async ({ page, root }) => {
  await root.setOption('SMTPServer', 'old.example.com')
  await root.setOption('SMTPToken', 'password')
  await page.goto('/setting?tab=system')
  const smtp = section(page, 'SMTP 发信')
  await expect(field(smtp, 'SMTP 访问凭证')).toHaveAttribute('placeholder', '已设置，留空表示不修改')
  await field(smtp, 'SMTP 服务器地址').fill('new.example.com')
  await expect(smtp.getByText('请重新填写')).toBeVisible()
  await field(smtp, 'SMTP 访问凭证').fill('new password')
  await expect(smtp.getByText('请重新填写')).toHaveCount(0)
  const sent = puts(page)
  await smtp.getByRole('button', { name: '保存 SMTP 设置', exact: true }).click()
  await expect.poll(() => sent.map(({ key }) => key)).toEqual(['SMTPServer', 'SMTPToken'])
  await expect(field(smtp, 'SMTP 访问凭证')).toHaveAttribute('placeholder', '已设置，留空表示不修改')
  await root.setOption('SMTPServer', '')
})

test('the callback addresses are shown and copied [R2.72 R2.73]', async ({ page, context, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/setting?tab=system')
  await expect(section(page, '飞书登录')).toContainText(`${baseURL}/oauth/lark`)
  await section(page, 'GitHub 登录').getByRole('button', { name: '复制回调地址', exact: true }).click()
  await toasted(page, '已复制到剪贴板')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/oauth/github`)
  await withStatus(page, { server_address: 'https://gateway.example.com' })
  await page.reload()
  await expect(section(page, 'GitHub 登录')).toContainText('https://gateway.example.com/oauth/github')
})

test('a domain is added once, and never an empty one [R2.70 R5.13]', async ({ page }) => {
  await pretendToSave(page)
  await page.goto('/setting?tab=system')
  const domains = section(page, '邮箱域名白名单')
  const input = domains.getByRole('combobox', { name: '允许的邮箱域名', exact: true })
  const save = domains.getByRole('button', { name: '保存邮箱域名白名单', exact: true })
  for (const typed of ['   ', 'gmail.com', 'GMAIL.com']) {
    await input.fill(typed)
    await input.press('Enter')
    await input.fill('')
  }
  await expect(save).toBeDisabled()
  await input.fill('Example.COM')
  await input.press('Enter')
  const sent = puts(page)
  await save.click()
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]).toMatchObject({
    key: 'EmailDomainWhitelist',
    value: expect.stringMatching(/^gmail\.com,.*,example\.com$/),
  })
})
