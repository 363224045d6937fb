import { appears, stopClock } from './support/clock.ts'
import { arrived, field } from './support/find.ts'
import { answer, withStatus } from './support/status.ts'
import { expect, test, toasted, toasts } from './support/test.ts'

test('a reset is requested once per 30 seconds [R2.07 R4.22 R5.20 R7.09 R8.22]', async ({ page }) => {
  await page.clock.install()
  await answer(page, '**/api/reset_password?*', { success: true, message: '' })
  await page.goto('/reset')
  await arrived(page, '密码重置')
  await stopClock(page, page.getByRole('button', { name: '发送重置邮件', exact: true }))
  const submit = page.getByRole('button', { name: '发送重置邮件', exact: true })
  await submit.click()
  await expect(page.getByText('请输入邮箱地址')).toBeVisible()
  await field(page, '邮箱地址').fill('me@example.com')
  const asked = page.waitForRequest('**/api/reset_password?*')
  await submit.click()
  expect(new URL((await asked).url()).searchParams.get('email')).toBe('me@example.com')
  const waiting = page.getByRole('button', { name: '重试 (30)', exact: true })
  await appears(page, waiting)
  await expect(waiting).toBeDisabled()
  await toasted(page, '重置邮件发送成功，请检查邮箱')
  await page.clock.runFor(29_000)
  await expect(page.getByRole('button', { name: '重试 (1)', exact: true })).toBeDisabled()
  await page.clock.runFor(1000)
  await expect(submit).toBeEnabled()
})

test('while the human check runs, the request waits [R5.21]', async ({ page }) => {
  await page.route('https://challenges.cloudflare.com/**', (route) => route.fulfill({ body: '' }))
  await withStatus(page, { turnstile_check: true, turnstile_site_key: 'site' })
  await page.goto('/reset')
  await field(page, '邮箱地址').fill('me@example.com')
  await page.getByRole('button', { name: '发送重置邮件', exact: true }).click()
  await expect(toasts(page).locator('[data-kind=warning]')).toHaveText('请稍后几秒重试，Turnstile 正在检查中')
})

test('the confirmation copies the new password [R2.08 R4.23 R7.10 R8.23]', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await answer(page, '**/api/user/reset', { success: true, message: '', data: 'fresh-password' })
  await page.goto('/user/reset?email=me@example.com&token=00123')
  await expect(field(page, '邮箱地址')).toHaveValue('me@example.com')
  const sent = page.waitForRequest('**/api/user/reset')
  await page.getByRole('button', { name: '重置密码', exact: true }).click()
  expect((await sent).postDataJSON()).toEqual({ email: 'me@example.com', token: '00123' })
  await toasted(page, '新密码已复制到剪贴板')
  await expect(field(page, '新密码')).toHaveValue('fresh-password')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('fresh-password')
  await expect(page.getByRole('button', { name: '密码重置完成', exact: true })).toBeDisabled()
})

test('an incomplete link is not sent', async ({ page }) => {
  await page.goto('/user/reset?email=me@example.com')
  await expect(page.getByText('链接不完整')).toBeVisible()
  await expect(page.getByRole('button', { name: '重置密码', exact: true })).toBeDisabled()
})
