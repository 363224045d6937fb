import { unique } from './support/api.ts'
import { appears, stopClock } from './support/clock.ts'
import { arrived, expectStored, field } from './support/find.ts'
import { answer, withStatus } from './support/status.ts'
import { expect, test, toasted, toasts } from './support/test.ts'

test('a registration with an invitation leads to the login [R2.06 R3.26 R5.02 R7.07 R8.12]', async ({ page, api }) => {
  const invite = (await api.call('GET', '/api/user/aff')).data
  const username = unique('n')
  await page.goto(`/register?aff=${invite}`)
  await expect(page.getByRole('link', { name: '点击登录', exact: true })).toHaveAttribute('href', '/login')
  await page.getByPlaceholder('输入用户名，最长 12 位', { exact: true }).fill(username)
  await page.getByPlaceholder('输入密码，最短 8 位，最长 20 位', { exact: true }).fill('long-enough')
  await page.getByPlaceholder('再次输入密码', { exact: true }).fill('long-enough')
  const sent = page.waitForRequest('**/api/user/register*')
  await page.getByRole('button', { name: '注册', exact: true }).click()
  expect((await sent).postDataJSON()).toEqual({
    username,
    password: 'long-enough',
    password2: 'long-enough',
    email: '',
    verification_code: '',
    aff_code: invite,
  })
  await expect(page).toHaveURL(/\/login$/)
  await toasted(page, '注册成功')
  await expectStored(page, 'aff').toBe(invite)
})

test('an invalid invitation is reported once, forgotten, and does not prevent registration', async ({ page }) => {
  await page.goto('/register?aff=nobodys')
  await field(page, '用户名').fill(unique('n'))
  await field(page, '密码').fill('long-enough')
  await field(page, '确认密码').fill('long-enough')
  await page.getByRole('button', { name: '注册', exact: true }).click()
  await expect(page).toHaveURL(/\/login$/)
  await toasted(page, '邀请链接已失效，本次注册未计入邀请。')
  await expectStored(page, 'aff').toBeNull()
})

test('a missing or invalid value is reported at its field [R5.01 R5.03 R5.04]', async ({ page }) => {
  await page.goto('/register')
  const submit = page.getByRole('button', { name: '注册', exact: true })
  await submit.click()
  await expect(page.getByText('请输入用户名')).toBeVisible()
  await expect(page.getByText('请输入密码')).toBeVisible()
  await field(page, '用户名').fill(unique('n'))
  await field(page, '密码').fill('1234567')
  await submit.click()
  await expect(page.getByText('密码长度不得小于 8 位')).toBeVisible()
  await field(page, '密码').fill('a password of far more than twenty characters')
  await field(page, '确认密码').fill('another')
  await submit.click()
  await expect(page.getByText('两次输入的密码不一致')).toBeVisible()
  await expect(field(page, '确认密码')).toBeFocused()
})

test('a code is sent only to a valid address, and again after 30 seconds [R5.06 R7.08 R8.13]', async ({ page }) => {
  await page.clock.install()
  await withStatus(page, { email_verification: true })
  await answer(page, '**/api/verification?*', { success: true, message: '' })
  await page.goto('/register')
  await arrived(page, '注册')
  const send = page.getByRole('button', { name: '获取验证码', exact: true })
  await stopClock(page, send)
  await send.click()
  await expect(page.getByText('请输入邮箱地址')).toBeVisible()
  await field(page, '邮箱地址').fill('new@example.com')
  const asked = page.waitForRequest('**/api/verification?*')
  await send.click()
  expect(new URL((await asked).url()).searchParams.get('email')).toBe('new@example.com')
  const waiting = page.getByRole('button', { name: '重试 (30)', exact: true })
  await appears(page, waiting)
  await expect(waiting).toBeDisabled()
  await toasted(page, '验证码发送成功，请检查邮箱')
  await page.clock.runFor(30_000)
  await expect(send).toBeEnabled()
})

test('while the human check runs, the registration waits [R5.05]', async ({ page }) => {
  await page.route('https://challenges.cloudflare.com/**', (route) => route.fulfill({ body: '' }))
  await withStatus(page, { turnstile_check: true, turnstile_site_key: 'site' })
  await page.goto('/register')
  await field(page, '用户名').fill(unique('n'))
  await field(page, '密码').fill('long-enough')
  await field(page, '确认密码').fill('long-enough')
  await page.getByRole('button', { name: '注册', exact: true }).click()
  await expect(toasts(page).locator('[data-kind=warning]')).toHaveText('请稍后几秒重试，Turnstile 正在检查用户环境')
})

test('where registration is disabled, the page says so', async ({ page }) => {
  await withStatus(page, { register: false })
  await page.goto('/register')
  await expect(page.getByText('管理员关闭了新用户注册')).toBeVisible()
  await expect(field(page, '用户名')).toHaveCount(0)
})
