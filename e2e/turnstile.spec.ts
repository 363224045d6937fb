import type { Page } from '@playwright/test'
import { unique } from './support/api.ts'
import { field } from './support/find.ts'
import { withStatus } from './support/status.ts'
import { expect, test, toasted, toasts } from './support/test.ts'

/** Cloudflare's script: a proof at once, another after each reset, none while `window.busy` is set. */
const SCRIPT = `
  let made = 0, widget
  const prove = () => { if (!window.busy) widget?.callback('proof-' + ++made) }
  window.prove = prove
  window.turnstile = {
    render: (host, options) => { widget = options; prove(); return 'w' },
    reset: () => prove(),
    remove: () => { widget = undefined },
  }`

/** The service behind it accepts each proof once, like the real one. */
async function withTurnstile(page: Page, status: Record<string, unknown> = {}) {
  const seen: string[] = []
  await page.route('https://challenges.cloudflare.com/**', (route) => route.fulfill({ body: SCRIPT }))
  await withStatus(page, { turnstile_check: true, turnstile_site_key: 'site', ...status })
  for (const path of ['**/api/verification?*', '**/api/user/register?*', '**/api/reset_password?*']) {
    await page.route(path, (route) => {
      const proof = new URL(route.request().url()).searchParams.get('turnstile') ?? ''
      const used = proof === '' || seen.includes(proof)
      seen.push(proof)
      return route.fulfill({ json: { success: !used, message: used ? '人机验证未通过，请刷新后重试' : '' } })
    })
  }
  return seen
}

const setBusy = (page: Page, busy: boolean) => page.evaluate((value) => Object.assign(window, { busy: value }), busy)
const prove = (page: Page) => page.evaluate(() => (window as unknown as { prove(): void }).prove())

test('a registration with a mailed code uses a fresh proof for each call, and waits for it [R5.05]', async ({
  page,
}) => {
  const seen = await withTurnstile(page, { email_verification: true })
  await page.goto('/register')
  await field(page, '用户名').fill(unique('n'))
  await field(page, '密码').fill('long-enough')
  await field(page, '确认密码').fill('long-enough')
  await field(page, '邮箱地址').fill('new@example.com')
  await setBusy(page, true)
  await page.getByRole('button', { name: '获取验证码', exact: true }).click()
  await toasted(page, '验证码发送成功')
  await field(page, '验证码').fill('123456')
  const submit = page.getByRole('button', { name: '注册', exact: true })
  await submit.click()
  await expect(toasts(page).locator('[data-kind=warning]')).toHaveText('请稍后几秒重试，Turnstile 正在检查用户环境')
  await setBusy(page, false)
  await prove(page)
  await submit.click()
  await expect(page).toHaveURL(/\/login$/)
  expect(seen).toEqual(['proof-1', 'proof-2'])
})

test('a second reset mail uses a fresh proof [R5.21]', async ({ page }) => {
  await page.clock.install()
  const seen = await withTurnstile(page)
  await page.goto('/reset')
  await field(page, '邮箱地址').fill('me@example.com')
  for (const proof of ['proof-1', 'proof-2']) {
    await page.getByRole('button', { name: '发送重置邮件', exact: true }).click()
    await expect.poll(() => seen.at(-1)).toBe(proof)
    await expect(toasts(page).locator('[data-kind=error]')).toHaveCount(0)
    await page.clock.runFor(31_000)
  }
})

test('a second code for binding an address uses a fresh proof [R2.55]', async ({ page, signIn }) => {
  await page.clock.install()
  await signIn()
  const seen = await withTurnstile(page)
  await page.goto('/setting')
  await page.getByRole('button', { name: '绑定邮箱地址', exact: true }).click()
  await page.getByRole('textbox', { name: '邮箱地址', exact: true }).fill('me@example.com')
  for (const proof of ['proof-1', 'proof-2']) {
    await page.getByRole('button', { name: '获取验证码', exact: true }).click()
    await expect.poll(() => seen.at(-1)).toBe(proof)
    await expect(toasts(page).locator('[data-kind=error]')).toHaveCount(0)
    await page.clock.runFor(31_000)
  }
})
