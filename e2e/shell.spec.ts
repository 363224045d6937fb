import type { Page } from '@playwright/test'
import { expectStored, field } from './support/find.ts'
import { answer, withStatus } from './support/status.ts'
import { expect, inEnglish, test } from './support/test.ts'

const menu = (page: Page) => page.getByRole('navigation', { name: '主菜单', exact: true })

test('an ordinary user’s menu has no entry of administrators [R2.35 R1.01]', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/token')
  const entries = ['首页', '令牌', '接入', '模型', '充值', '预算', '日志', '分析', '设置', '关于']
  await expect(menu(page).getByRole('link')).toHaveText(entries)
})

test('an administrator’s menu has them all, in order [R2.35 R1.02 R1.03]', async ({ page, signInAs, admin }) => {
  await signInAs(admin)
  await page.goto('/token')
  const entries = [
    '首页',
    '渠道',
    '路由',
    '令牌',
    '接入',
    '模型',
    '兑换',
    '充值',
    '预算',
    '用户',
    '日志',
    '分析',
    '告警',
    '操作记录',
    '设置',
    '关于',
  ]
  await expect(menu(page).getByRole('link')).toHaveText(entries)
})

test('the chat entry exists only when a chat link is configured [R2.36]', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/token')
  await expect(menu(page).getByRole('link', { name: '聊天', exact: true })).toHaveCount(0)
  await withStatus(page, { chat_link: 'https://chat.example.com' })
  await page.reload()
  await expect(menu(page).getByRole('link', { name: '聊天', exact: true })).toBeVisible()
})

test('root sees on every page that the ledger does not add up, until a full audit finds nothing', async ({
  page,
  root,
  signInAs,
}) => {
  const newest = (action: string) => {
    const event = { id: 7, created_at: 1_800_000_000, actor_id: 0, actor_name: 'tollgate', action, target: 'books' }
    return answer(page, '**/api/audit?**', {
      ...{ success: true, message: '', data: [{ ...event, before: null, after: null, ip: '' }] },
    })
  }
  await signInAs(root)
  await newest('books.finding')
  await page.goto('/token')
  const banner = page.getByRole('alert').filter({ hasText: '账目核对发现异常' })
  await expect(banner).toContainText('2027-01-15 16:00:00 发现。请在服务器上运行 tollgate audit 查看全部结果。')
  await page.goto('/log')
  await expect(banner).toBeVisible()
  await inEnglish(page)
  await page.reload()
  await expect(page.getByRole('alert').filter({ hasText: 'The ledger does not balance' })).toBeVisible()

  await newest('books.whole')
  const asked = page.waitForResponse('**/api/audit?**')
  await page.reload()
  await asked
  await expect(page.getByRole('alert').filter({ hasText: 'The ledger does not balance' })).toHaveCount(0)
})

test('on a phone the menu is a drawer [R2.37]', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn()
  await page.goto('/token')
  await expect(menu(page)).toBeHidden()
  await page.getByRole('button', { name: '打开菜单', exact: true }).click()
  await menu(page).getByRole('link', { name: '关于', exact: true }).click()
  await expect(page).toHaveURL(/\/about$/)
  await expect(menu(page)).toBeHidden()
})

test('the sidebar collapses to icons that keep their names, until it is opened again', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/token')
  await page.getByRole('button', { name: '收起侧边栏', exact: true }).click()
  await page.reload()
  await expect(menu(page).getByRole('link', { name: '令牌', exact: true })).toBeVisible()
  await expect(menu(page).getByText('令牌')).toHaveCount(0)
  await page.getByRole('button', { name: '展开侧边栏', exact: true }).click()
  await expect(menu(page).getByText('令牌')).toBeVisible()
})

test('the footer shows the product and its version, or safe operator content [R2.39 R2.40]', async ({ page }) => {
  await page.goto('/login')
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText(/Tollgate .* v\d+\.\d+\.\d+/)
  await expect(footer.getByRole('link', { name: 'Tollgate', exact: true })).toBeVisible()
  await withStatus(page, { footer_html: '<b>备案号 1234</b><script>window.hacked = true</script>' })
  await page.goto('/about')
  await expect(footer.locator('b')).toHaveText('备案号 1234')
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

test('another version of the server is noticed, the same one is not [R2.41]', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByText('请刷新页面')).toHaveCount(0)
  await withStatus(page, { version: 'v9.9.9' })
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'v9.9.9' })).toContainText('请刷新页面')
})

test('name and logo of the site are the operator’s, or else ours [R1.04 R1.05]', async ({ page }) => {
  await page.goto('/login')
  const brand = page.getByRole('banner').getByRole('link', { name: 'Tollgate', exact: true })
  await expect(brand.locator('img')).toHaveAttribute('src', '/logo.png')
  await expect(page).toHaveTitle('登录 · Tollgate')
  await withStatus(page, { system_name: '小站网关', logo: '/favicon.png' })
  await page.reload()
  await expect(
    page.getByRole('banner').getByRole('link', { name: '小站网关', exact: true }).locator('img'),
  ).toHaveAttribute('src', '/favicon.png')
  await expect(page).toHaveTitle('登录 · 小站网关')
  await expectStored(page, 'system_name').toBe('小站网关')
})

test('an unknown address is reported [R2.29]', async ({ page }) => {
  await page.goto('/no/such/page')
  await expect(page.getByText('页面不存在').last()).toBeVisible()
  await expect(page.getByText('请检查浏览器地址是否正确')).toBeVisible()
})

test('a page whose code loads slowly shows which page is loading [R2.30]', async ({ page, signIn }) => {
  await signIn()
  let release = () => {}
  const seen = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/tokens-page-*.js', async (route) => {
    await seen
    await route.continue()
  })
  // The page that waits for its code has not loaded: only its HTML has.
  await page.goto('/token', { waitUntil: 'commit' })
  await expect(page.getByText('加载令牌中...')).toBeVisible()
  release()
  await expect(page.getByRole('table')).toBeVisible()
})

test('the language is switched in the header, and remembered; the server follows [R0.02]', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Switch to English', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Log in', exact: true }).first()).toBeAttached()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  const asked = page.waitForRequest('**/api/status')
  await page.reload()
  expect((await asked).headers()['accept-language']).toBe('en')
  await expect(field(page, 'Username or e-mail')).toBeVisible()
})

test('the colour scheme follows the system, then the choice, then the site’s default', async ({ page }) => {
  const html = page.locator('html')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/login')
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.getByRole('button', { name: /外观/ }).click()
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light')
  await expectStored(page, 'color_scheme').toBe('light')
  await page.reload()
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light')
})

test('the palette finds pages and tokens by keyboard', async ({ page, api, signIn }) => {
  await inEnglish(page)
  const { name, id } = await api.makeToken()
  await signIn()
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(/\/assets\/palette-[^/]*\.js$/, async (route) => {
    await arrived
    await route.continue()
  })
  await page.goto('/about')
  const button = page.getByRole('button', { name: 'Search', exact: true })
  await button.focus()
  await page.keyboard.press('Control+k')
  // Typed before the palette has loaded, and continued in it.
  await page.keyboard.type('To')
  arrive()
  const box = page.getByPlaceholder('Search pages or tokens', { exact: true })
  await expect(box).toBeFocused()
  await page.keyboard.type('p u')
  await expect(box).toHaveValue('Top u')
  await expect(
    page.getByRole('option', { name: 'Top up', exact: true }).or(page.getByText('Top up').last()),
  ).toBeVisible()
  await box.fill(name)
  await expect(
    page.getByRole('button', { name, exact: true }).or(page.getByRole('option', { name, exact: true })),
  ).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/token/edit/${id}$`))
})

test('a keyboard can skip the menu', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/token')
  await page.getByRole('link', { name: '跳到主要内容', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})
