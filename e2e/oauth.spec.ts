import type { Page } from '@playwright/test'
import { expectStored, field } from './support/find.ts'
import { answer, withStatus } from './support/status.ts'
import { expect, test, toasted } from './support/test.ts'

const USER = { id: 7, username: 'octo', display_name: 'Octo', role: 1, status: 1, default_password: false }

test('GitHub is called with client id, state and scope [R7.25 R7.31]', async ({ page }) => {
  await withStatus(page, { github_oauth: true, github_client_id: 'client-1' })
  await answer(page, '**/api/oauth/state?*', { success: true, message: '', data: 'state-1' })
  await page.route('https://github.com/**', (route) => route.fulfill({ body: 'GitHub' }))
  await page.goto('/login')
  await page.getByRole('button', { name: 'GitHub 登录', exact: true }).click()
  await page.waitForURL('https://github.com/**')
  const { pathname, searchParams } = new URL(page.url())
  expect(pathname).toBe('/login/oauth/authorize')
  expect(Object.fromEntries(searchParams)).toEqual({ client_id: 'client-1', state: 'state-1', scope: 'user:email' })
})

test('Lark is called with the redirect URL, app id and state [R7.32]', async ({ page, baseURL }) => {
  await withStatus(page, { lark_client_id: 'cli_1' })
  await answer(page, '**/api/oauth/state?*', { success: true, message: '', data: 'state-2' })
  await page.route('https://open.feishu.cn/**', (route) => route.fulfill({ body: 'Lark' }))
  await page.goto('/login')
  await page.getByRole('button', { name: '飞书登录', exact: true }).click()
  await page.waitForURL('https://open.feishu.cn/**')
  const expected = { redirect_uri: `${baseURL}/oauth/lark`, app_id: 'cli_1', state: 'state-2' }
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(expected)
})

test('a WeChat code signs in from its dialog and leads to the home page [R2.34 R3.27 R4.25 R5.08 R7.26]', async ({
  page,
}) => {
  await withStatus(page, { wechat_login: true, wechat_qrcode: '/logo.png' })
  await answer(page, '**/api/oauth/wechat?*', { success: true, message: '', data: USER })
  await page.goto('/login')
  await page.getByRole('button', { name: '微信登录', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('三分钟内有效')
  await dialog.getByRole('button', { name: '登录', exact: true }).click()
  await expect(dialog).toContainText('请输入验证码')
  await field(dialog, '验证码').fill('123456')
  const asked = page.waitForRequest('**/api/oauth/wechat?*')
  await dialog.getByRole('button', { name: '登录', exact: true }).click()
  expect(new URL((await asked).url()).searchParams.get('code')).toBe('123456')
  await expect(page).toHaveURL(/\/$/)
})

test('a GitHub callback signs in and leads to the home page [R2.09 R4.18 R7.29]', async ({ page }) => {
  await comesBack(page, 'github')
})

test('a Lark callback signs in and leads to the home page [R2.10 R4.18 R7.30]', async ({ page }) => {
  await comesBack(page, 'lark')
})

async function comesBack(page: Page, provider: 'github' | 'lark') {
  await answer(page, `**/api/oauth/${provider}?*`, { success: true, message: '', data: USER })
  const asked = page.waitForRequest(`**/api/oauth/${provider}?*`)
  await page.goto(`/oauth/${provider}?code=0012345678901234567890&state=s`)
  const { searchParams } = new URL((await asked).url())
  expect(Object.fromEntries(searchParams)).toEqual({ code: '0012345678901234567890', state: 's' })
  await expect(page).toHaveURL(/\/$/)
  await expectStored(page, 'user').toContain('"username":"octo"')
}

test('a callback that bound an account leads to the settings [R4.17 R8.24]', async ({ page, signIn }) => {
  await signIn()
  await answer(page, '**/api/oauth/github?*', { success: true, message: 'bind', data: null })
  await page.goto('/oauth/github?code=c&state=s')
  await expect(page).toHaveURL(/\/setting$/)
  await toasted(page, '绑定成功')
})

test('a refusal at the first attempt is final [R4.19]', async ({ page, signIn }) => {
  let calls = 0
  await signIn()
  await page.route('**/api/oauth/github?*', (route) => {
    calls += 1
    return route.fulfill({ json: { success: false, message: '授权码无效' } })
  })
  await page.goto('/oauth/github?code=c&state=s')
  await expect(page).toHaveURL(/\/setting$/)
  await toasted(page, '授权码无效')
  expect(calls).toBe(1)
})

test('a call that fails is retried after 2, 4 and 6 seconds, then given up [R4.20 R4.21]', async ({ page, signIn }) => {
  let calls = 0
  await signIn()
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  await page.route('**/api/oauth/github?*', (route) => {
    calls += 1
    return route.fulfill({ status: 502, body: 'bad gateway' })
  })
  await page.goto('/oauth/github?code=c&state=s')
  for (const [retry, pause] of [
    [1, 2000],
    [2, 4000],
    [3, 6000],
  ] as const) {
    await expect(page.getByText(`出现错误，第 ${retry} 次重试中...`)).toBeVisible()
    await page.clock.runFor(pause - 100)
    expect(calls).toBe(retry)
    await page.clock.runFor(200)
    await expect.poll(() => calls).toBe(retry + 1)
  }
  await toasted(page, '操作失败，重定向至登录界面中...')
  await expect(page).toHaveURL(/\/setting$/)
})
