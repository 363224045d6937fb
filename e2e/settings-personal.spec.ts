import { appears, stopClock } from './support/clock.ts'
import { expectStored, field } from './support/find.ts'
import { section } from './support/settings.ts'
import { answer, withStatus } from './support/status.ts'
import { expect, test, toasted } from './support/test.ts'

test.beforeEach(async ({ signIn }) => signIn())

test('an access token is generated, copied, and shown once [R2.52 R6.06 R7.20 R8.14]', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/setting')
  await page.getByRole('button', { name: '生成系统访问令牌', exact: true }).click()
  const question = page.getByRole('dialog', { name: '生成新的系统访问令牌？', exact: true })
  await question.getByRole('button', { name: '生成系统访问令牌', exact: true }).click()
  await toasted(page, '令牌已重置并已复制到剪贴板')
  const dialog = page.getByRole('dialog', { name: '新的系统访问令牌', exact: true })
  const token = await dialog.getByRole('textbox', { name: '系统访问令牌', exact: true }).inputValue()
  expect(token).not.toBe('')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await dialog.getByRole('button', { name: '关闭', exact: true }).click()
  await expect(page.getByText(token)).toHaveCount(0)
})

test('a token that cannot be copied automatically is shown for copying by hand [R2.52]', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await page.goto('/setting')
  await page.getByRole('button', { name: '生成系统访问令牌', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '生成系统访问令牌', exact: true }).click()
  await toasted(page, '无法复制到剪贴板，请手动复制')
  await expect(page.getByRole('textbox', { name: '系统访问令牌', exact: true })).toBeFocused()
})

test('the invite link is copied [R2.53 R7.21 R8.15]', async ({ page, context, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/setting')
  await page.getByRole('button', { name: '复制邀请链接', exact: true }).click()
  await toasted(page, '邀请链接已复制到剪贴板')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(new RegExp(`^${baseURL}/register\\?aff=\\w+$`))
})

test('a WeChat account is bound with a code that is valid for three minutes [R2.54 R4.25 R5.08 R7.27 R8.16]', async ({
  page,
}) => {
  await withStatus(page, { wechat_login: true, wechat_qrcode: '/logo.png' })
  await page.goto('/setting')
  await page.getByRole('button', { name: '绑定微信账号', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '绑定微信账号', exact: true })
  await expect(dialog.getByRole('img', { name: '公众号二维码', exact: true })).toBeVisible()
  await expect(dialog).toContainText('三分钟内有效')
  await dialog.getByRole('button', { name: '确认绑定', exact: true }).click()
  await expect(dialog.getByText('请输入验证码')).toBeVisible()
  await answer(page, '**/api/oauth/wechat/bind?**', { success: true, message: '' })
  const sent = page.waitForRequest('**/api/oauth/wechat/bind?**')
  await field(dialog, '验证码').fill('123456')
  await dialog.getByRole('button', { name: '确认绑定', exact: true }).click()
  expect((await sent).url()).toContain('code=123456')
  await toasted(page, '微信账户绑定成功')
  await expect(dialog).toHaveCount(0)
})

test('an e-mail is bound with a code that can be sent again after 30 seconds [R2.55 R4.24 R5.06 R5.09 R7.28 R8.13 R8.17]', async ({
  page,
}) => {
  await page.clock.install()
  await answer(page, '**/api/verification?**', { success: true, message: '' })
  await answer(page, '**/api/oauth/email/bind?**', { success: true, message: '' })
  await page.goto('/setting')
  await page.getByRole('button', { name: '绑定邮箱地址', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '绑定邮箱地址', exact: true })
  await dialog.getByRole('button', { name: '获取验证码', exact: true }).click()
  await expect(dialog.getByText('请输入邮箱地址')).toBeVisible()
  await field(dialog, '邮箱地址').fill('me@example.com')
  await dialog.getByRole('button', { name: '确认绑定', exact: true }).click()
  await expect(dialog.getByText('请输入验证码')).toBeVisible()

  await stopClock(page, dialog.getByRole('button', { name: '确认绑定', exact: true }))
  const code = page.waitForRequest('**/api/verification?**')
  await dialog.getByRole('button', { name: '获取验证码', exact: true }).click()
  expect((await code).url()).toContain('email=me%40example.com')
  const waiting = dialog.getByRole('button', { name: '重新发送 (30)', exact: true })
  await appears(page, waiting)
  await expect(waiting).toBeDisabled()
  await toasted(page, '验证码发送成功，请检查邮箱')
  await page.clock.runFor(29_000)
  await expect(dialog.getByRole('button', { name: '重新发送 (1)', exact: true })).toBeDisabled()
  await page.clock.runFor(1_000)
  await expect(dialog.getByRole('button', { name: '获取验证码', exact: true })).toBeEnabled()
  await page.clock.resume()

  const bind = page.waitForRequest('**/api/oauth/email/bind?**')
  await field(dialog, '验证码').fill('abc123')
  await dialog.getByRole('button', { name: '确认绑定', exact: true }).click()
  expect((await bind).url()).toContain('email=me%40example.com&code=abc123')
  await toasted(page, '邮箱账户绑定成功')
})

test('with Turnstile on, a code is not sent before the check is done [R2.55]', async ({ page }) => {
  await page.route('https://challenges.cloudflare.com/**', (route) => route.fulfill({ body: '' }))
  await withStatus(page, { turnstile_check: true, turnstile_site_key: 'site' })
  await page.goto('/setting')
  await page.getByRole('button', { name: '绑定邮箱地址', exact: true }).click()
  await page.getByRole('textbox', { name: '邮箱地址', exact: true }).fill('me@example.com')
  await page.getByRole('button', { name: '获取验证码', exact: true }).click()
  await toasted(page, '请稍后几秒重试，Turnstile 正在检查用户环境')
})

test('GitHub and Lark are bound on their own pages [R2.56 R7.25 R7.31 R7.32]', async ({ page, baseURL }) => {
  await withStatus(page, { github_oauth: true, github_client_id: 'gh-client', lark_client_id: 'lark-app' })
  const seen: string[] = []
  for (const site of ['https://github.com/**', 'https://open.feishu.cn/**']) {
    await page.route(site, (route) => {
      seen.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: 'authorise' })
    })
  }
  await page.goto('/setting')
  await page.getByRole('button', { name: '绑定 GitHub 账号', exact: true }).click()
  await expect(page).toHaveURL(/github\.com/)
  const gitHub = new URL(seen[0] ?? '').searchParams
  expect(gitHub.get('client_id')).toBe('gh-client')
  expect(gitHub.get('scope')).toBe('user:email')
  expect(gitHub.get('state')).not.toBe('')
  await page.goto('/setting')
  await page.getByRole('button', { name: '绑定飞书账号', exact: true }).click()
  await expect(page).toHaveURL(/feishu/)
  const lark = new URL(seen[1] ?? '').searchParams
  expect(lark.get('app_id')).toBe('lark-app')
  expect(lark.get('redirect_uri')).toBe(`${baseURL}/oauth/lark`)
})

test('accounts that the site does not offer cannot be bound', async ({ page }) => {
  await page.goto('/setting')
  await expect(page.getByText('管理员没有开启')).toHaveCount(3)
  await expect(page.getByRole('button', { name: /绑定/ })).toHaveCount(1)
})

test('one’s own account is deleted by typing its name [R2.57 R5.15 R7.18 R8.18]', async ({ page, account }) => {
  await page.goto('/setting')
  await page.getByRole('button', { name: '删除个人账户', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '危险操作', exact: true })
  const name = field(dialog, `输入你的账户名 ${account.username} 以确认删除`)
  await name.fill('somebody')
  await dialog.getByRole('button', { name: '确认删除', exact: true }).click()
  await expect(dialog.getByText('请输入你的账户名以确认删除')).toBeVisible()
  await name.fill(account.username)
  await dialog.getByRole('button', { name: '确认删除', exact: true }).click()
  await toasted(page, '账户已删除')
  await expect(page).toHaveURL(/\/login$/)
  await expectStored(page, 'user').toBeNull()
})

test('an administrator enables external sign-in with the password, and disables it without; users have no such switch', async ({
  page,
  root,
  signInAs,
}) => {
  await page.goto('/setting')
  await expect(section(page, '账号绑定')).toBeVisible()
  await expect(section(page, '管理员的登录方式')).toHaveCount(0)

  const account = await root.makeUser({ role: 'admin' })
  await signInAs(account)
  await page.goto('/setting')
  const toggle = page.getByRole('switch', { name: /^允许通过邮箱、微信和飞书恢复或登录/ })
  await expect(toggle).not.toBeChecked()
  await toggle.click({ force: true })
  const dialog = page.getByRole('dialog', { name: '开放其他登录方式', exact: true })
  await dialog.getByLabel('当前密码', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: '确认开放', exact: true }).click()
  await expect(page.getByText('当前密码不正确')).toBeVisible()
  await expect(toggle).not.toBeChecked()
  await dialog.getByLabel('当前密码', { exact: true }).fill(account.password)
  await dialog.getByRole('button', { name: '确认开放', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await page.reload()
  await expect(toggle).toBeChecked()
  await toggle.click({ force: true })
  await expect(toggle).not.toBeChecked()
})
