import { unique } from './support/api.ts'
import { answer, withStatus } from './support/status.ts'
import { expect, inEnglish, test, toasted, toasts } from './support/test.ts'

test.beforeEach(async ({ signIn }) => signIn())

test('an empty code is answered with a warning and no call [R2.25 R2.94 R5.54]', async ({ page }) => {
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()))
  await page.goto('/topup')
  await expect(page.getByRole('textbox', { name: '兑换码', exact: true })).toHaveCount(1)
  await page.getByRole('textbox', { name: '兑换码', exact: true }).fill('   ')
  await page.getByRole('button', { name: '兑换', exact: true }).click()
  await expect(toasts(page).locator('[data-kind="warning"]')).toContainText('请输入充值码')
  expect(calls).toEqual([])
})

test('a code adds to the balance, which is shown at once [R1.01 R7.23 R8.30]', async ({ page, root }) => {
  const { data: keys } = await root.call('POST', '/api/redemption/', { name: unique('t'), quota: 1_250_000 })
  await page.goto('/topup')
  const balance = page.getByText('当前余额').locator('..')
  await expect(balance).toContainText('$0.00')
  await page.getByRole('textbox', { name: '兑换码', exact: true }).fill(keys[0])
  const asked = page.waitForRequest('**/api/user/self')
  const sent = page.waitForRequest('**/api/user/topup')
  await page.keyboard.press('Enter')
  expect((await sent).postDataJSON()).toEqual({ key: keys[0] })
  await expect(toasts(page).locator('[data-kind="success"]')).toContainText('充值成功')
  await expect(balance).toContainText('$2.50')
  await asked
  await expect(page.getByText('已到账 $2.50，余额已更新。')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: '通过兑换码充值 $2.50 额度' })).toHaveCount(1)
  await expect(page.getByRole('textbox', { name: '兑换码', exact: true })).toHaveValue('')
})

test('a refused code shows the server’s reason at its field, until it is changed [R7.02]', async ({ page, root }) => {
  const { data: keys } = await root.call('POST', '/api/redemption/', { name: unique('t'), quota: 100 })
  await root.call('POST', '/api/user/topup', { key: keys[0] })
  await page.goto('/topup')
  const code = page.getByRole('textbox', { name: '兑换码', exact: true })
  const redeem = page.getByRole('button', { name: '兑换', exact: true })
  for (const [typed, sentence] of [
    ['no-such-code', '兑换失败，无效的兑换码'],
    [keys[0], '兑换失败，该兑换码已被使用'],
  ] as const) {
    await code.fill(typed)
    await expect(code).not.toHaveAttribute('aria-invalid')
    await redeem.click()
    await expect(code).toHaveAccessibleDescription(sentence)
    await expect(code).toBeFocused()
    await expect(code).toHaveValue(typed)
    // The button stays beside the field.
    const [typedIn, pressed] = [await code.boundingBox(), await redeem.boundingBox()]
    expect(Math.abs((typedIn?.y ?? 0) - (pressed?.y ?? 99))).toBeLessThanOrEqual(3)
  }
  await expect(toasts(page).locator('[data-kind="error"]')).toHaveCount(0)
})

test('an exception during a top-up says that the request failed [R8.07]', async ({ page }) => {
  await page.goto('/topup')
  await page.route('**/api/user/topup', (route) => route.abort())
  await page.getByRole('textbox', { name: '兑换码', exact: true }).fill('some-code')
  await page.getByRole('button', { name: '兑换', exact: true }).click()
  await expect(toasts(page).locator('[data-kind="error"]')).toContainText('请求失败')
})

test('a lost session during a top-up leads to the login [R4.03]', async ({ page }) => {
  await page.goto('/topup')
  await answer(page, '**/api/user/topup', { success: false, message: '请先登录' }, 401)
  await page.getByRole('textbox', { name: '兑换码', exact: true }).fill('some-code')
  await page.getByRole('button', { name: '兑换', exact: true }).click()
  await expect(page).toHaveURL(/\/login\?expired=true/)
})

test('without a top-up link an error says who could set one [R5.55]', async ({ page }) => {
  await page.goto('/topup')
  await expect(page.getByRole('link', { name: '前往充值', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: '如何获取兑换码？', exact: true }).click()
  await expect(toasts(page).locator('[data-kind="error"]')).toContainText('超级管理员未设置充值链接')
})

test('the top-up link contains who pays [R2.94]', async ({ page, account }) => {
  await withStatus(page, { top_up_link: 'https://pay.example.com/?shop=1' })
  await page.goto('/topup')
  const link = page.getByRole('link', { name: '前往充值', exact: true })
  await expect(link).toHaveAttribute('target', '_blank')
  const url = new URL((await link.getAttribute('href')) ?? '')
  expect(url.origin).toBe('https://pay.example.com')
  expect(url.searchParams.get('shop')).toBe('1')
  expect(url.searchParams.get('username')).toBe(account.username)
  expect(url.searchParams.get('user_id')).toMatch(/^\d+$/)
  expect(url.searchParams.get('transaction_id')).toMatch(/^[\da-f-]{36}$/)
})

test('the invite link is copied [R8.15]', async ({ page, context, api, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { data: code } = await api.call('GET', '/api/user/aff')
  await page.goto('/topup')
  await page.getByRole('button', { name: '复制邀请链接', exact: true }).click()
  await toasted(page, '邀请链接已复制到剪贴板')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/register?aff=${code}`)
})

test('the page is available in English [R0.02]', async ({ page }) => {
  await inEnglish(page)
  await page.goto('/topup')
  await page.getByRole('button', { name: 'Redeem', exact: true }).click()
  await toasted(page, 'Please enter the top-up code')
  await page.getByRole('button', { name: 'How do I get a code?', exact: true }).click()
  await toasted(page, 'The super admin has not set a top-up link')
})
