import { ROOT_ACCOUNT, signedInApi } from './support/api.ts'
import { expectStored, field } from './support/find.ts'
import { startServer } from './support/server.ts'
import { expect, test, toasted, toasts } from './support/test.ts'

test('a visitor of a private page returns to it after the login [R2.01 R2.04 R2.31 R4.01 R8.11]', async ({
  page,
  account,
}) => {
  await page.goto('/token?order=used_quota')
  await expect(page).toHaveURL(/\/login\?from=/)
  await expect(page.getByRole('link', { name: '点击重置', exact: true })).toHaveAttribute('href', '/reset')
  await expect(page.getByRole('link', { name: '点击注册', exact: true })).toHaveAttribute('href', '/register')
  await field(page, '用户名或邮箱地址').fill(account.username)
  await field(page, '密码').fill(account.password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/\/token\?order=used_quota$/)
  await toasted(page, '登录成功')
})

test('without an origin the login leads to the tokens, and nothing secret is stored [R2.31 R3.05 R3.27]', async ({
  page,
  account,
}) => {
  await page.goto('/login')
  await field(page, '用户名或邮箱地址').fill(account.username)
  await field(page, '密码').fill(account.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/token$/)
  const user = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))
  expect(Object.keys(user).sort()).toEqual(['display_name', 'id', 'role', 'status', 'username'])
  expect(user.role).toBe(1)
})

test('the login never redirects out of the console', async ({ page, account }) => {
  await page.goto('/login?from=//example.com/evil')
  await field(page, '用户名或邮箱地址').fill(account.username)
  await field(page, '密码').fill(account.password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/127\.0\.0\.1:\d+\/token$/)
})

test('an empty login is refused at its fields, and so is a wrong one [R5.07 R7.02]', async ({ page, account }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByText('请输入用户名')).toBeVisible()
  await expect(page.getByText('请输入密码')).toBeVisible()
  await expect(field(page, '用户名或邮箱地址')).toBeFocused()
  await field(page, '用户名或邮箱地址').fill(account.username)
  await field(page, '密码').fill('not-the-password')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByText('用户名或密码错误，或账户已被封禁')).toBeVisible()
  await expect(field(page, '密码')).toBeFocused()
  await expect(toasts(page)).toBeEmpty()
  await expect(page).toHaveURL(/\/login$/)
})

test('an expired login is announced on the login page [R2.05]', async ({ page }) => {
  await page.goto('/login?expired=true')
  await expect(page.getByRole('alert')).toHaveText('未登录或登录已过期，请重新登录')
})

test('a 401 forgets the user, leads to the login, and back afterwards [R4.03]', async ({ page, account, signIn }) => {
  await signIn()
  await page.context().clearCookies()
  await page.goto('/token')
  await expect(page).toHaveURL(/\/login\?expired=true&from=%2Ftoken/)
  await expect(page.getByRole('alert')).toContainText('登录已过期')
  await expectStored(page, 'user').toBeNull()
  await field(page, '用户名或邮箱地址').fill(account.username)
  await field(page, '密码').fill(account.password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/\/token$/)
})

test('a reload keeps the login, a logout ends it [R2.38 R4.02 R4.04 R7.05 R8.32]', async ({
  page,
  account,
  signIn,
}) => {
  await signIn()
  await page.goto('/token')
  await page.reload()
  await page.getByRole('button', { name: `${account.username} 的账户菜单`, exact: true }).click()
  await page.getByRole('menuitem', { name: '退出登录', exact: true }).click()
  await expect(page).toHaveURL(/\/login$/)
  await toasted(page, '已退出登录')
  await expect(page.getByRole('link', { name: '登录', exact: true })).toBeVisible()
  await expectStored(page, 'user').toBeNull()
  const self = await page.request.get('/api/user/self')
  expect(self.status()).toBe(401)
})

test('the default password leads to the profile with a warning, and a banner stays [R2.32]', async ({ page }) => {
  const server = await startServer()
  await page.goto(`${server.url}/login`)
  await field(page, '用户名或邮箱地址').fill('root')
  await field(page, '密码').fill('123456')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page).toHaveURL(/\/user\/edit$/)
  await toasted(page, '请立即修改默认密码')
  const banner = page.getByRole('alert').filter({ hasText: '请立即修改默认密码' })
  await expect(banner).toBeVisible()
  await page.goto(`${server.url}/token`)
  await expect(banner).toBeVisible()
  await server.stop()
})

test('an ordinary user at an administrator’s page sees why it is denied, and a way back [R2.11 R6.01]', async ({
  page,
  signIn,
}) => {
  await signIn()
  await page.goto('/channel')
  await expect(page.getByText('没有权限')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: '返回首页', exact: true }).click()
  await expect(page).toHaveURL(/\/$/)
})

test('an administrator can open what an ordinary user cannot [R1.02 R6.01]', async ({ page, signInAs, admin }) => {
  await signInAs(admin)
  await page.goto('/channel')
  await expect(page.getByRole('heading', { level: 1, name: '渠道', exact: true })).toBeVisible()
  await expect(page.getByText('没有权限')).toHaveCount(0)
})

test('signing out elsewhere is noticed at the next call [R4.01]', async ({ page, server, account, signIn }) => {
  await signIn()
  const root = await signedInApi(server.url, ROOT_ACCOUNT)
  await root.call('POST', '/api/user/manage', { username: account.username, action: 'disable' })
  await root.dispose()
  await page.goto('/token')
  await expect(toasts(page).or(page.getByRole('alert')).first()).toBeVisible()
})
