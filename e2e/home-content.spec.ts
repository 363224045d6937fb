import type { Page } from '@playwright/test'
import { answer, withStatus } from './support/status.ts'
import { expect, test, toasted, toasts } from './support/test.ts'

const content = (page: Page, data: string) =>
  answer(page, '**/api/home_page_content', { success: true, message: '', data })

const notice = (page: Page, data: string) => answer(page, '**/api/notice', { success: true, message: '', data })

test('a visitor without content sees what the product is for and the state of the system [R2.02]', async ({ page }) => {
  await withStatus(page, {
    system_name: 'My Gateway',
    github_oauth: true,
    start_time: 1_800_000_000,
    version: 'v0.1.0',
    server_address: 'https://gateway.example.com',
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: '欢迎使用 My Gateway', exact: true })).toBeVisible()
  const offers = page.getByRole('list', { name: '在这里可以做什么', exact: true })
  await expect(offers.getByRole('heading')).toHaveText(['登录', '获取密钥', '调用模型'])
  await expect(offers).toContainText('https://gateway.example.com')
  await expect(page.getByRole('main').getByRole('link', { name: '注册', exact: true })).toHaveAttribute(
    'href',
    '/register',
  )
  const info = page.getByRole('region', { name: '系统信息', exact: true })
  await expect(info).toContainText('My Gateway')
  await expect(info).toContainText('v0.1.0')
  await expect(info).toContainText('2027-01-15 16:00:00')
  await expect(info).toContainText('密码、GitHub')
  await expect(page.getByText('Turnstile')).toHaveCount(0)
})

test('content is Markdown or HTML, and cannot run [R2.02]', async ({ page }) => {
  // No event handler in it: Chromium would report it to the policy before it is removed.
  await content(
    page,
    '# 你好\n\n**粗** <script>window.hacked = 1</script><a href="javascript:window.hacked = 1">点我</a>',
  )
  await page.goto('/')
  await expect(page.getByRole('heading', { name: '你好', exact: true })).toBeVisible()
  await expect(page.locator('strong')).toHaveText('粗')
  await expect(page.getByText('点我')).not.toHaveAttribute('href')
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  await expect(page.getByText('欢迎使用')).toHaveCount(0)
})

test('an https address is shown in a sandboxed frame [R2.02]', async ({ page }) => {
  await page.route('https://site.example.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: 'framed' }),
  )
  await content(page, 'https://site.example.com/home')
  await page.goto('/')
  const frame = page.locator('iframe')
  await expect(frame).toHaveAttribute('src', 'https://site.example.com/home')
  await expect(frame).toHaveAttribute('sandbox', /allow-scripts/)
  await expect(frame).not.toHaveAttribute('sandbox', /allow-top-navigation/)
  await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(500)
})

test('a notice stays until it is closed, and is shown again only when it changed [R9.02 R3.29]', async ({ page }) => {
  await notice(page, '**维护**：今晚 [详情](https://example.com)')
  await page.goto('/')
  const shown = toasts(page).locator('[data-kind="notice"]')
  await expect(shown.locator('strong')).toHaveText('维护')
  await expect(shown.getByRole('link', { name: '详情', exact: true })).toHaveAttribute('rel', /noopener/)
  await shown.getByRole('button', { name: '关闭', exact: true }).click()
  await expect(shown).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('欢迎使用')).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(shown).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('prompt-notice'))).toBe('true')
  await page.unroute('**/api/notice')
  await notice(page, '维护推迟到明晚')
  await page.reload()
  await expect(shown).toContainText('维护推迟到明晚')
  await page.evaluate(() => {
    localStorage.clear()
    localStorage.setItem('prompt-notice', 'true')
  })
  await page.reload()
  await expect(page.getByText('欢迎使用')).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(shown).toHaveCount(0)
})

test('a sticky notice outlives the usual twenty seconds [R9.02]', async ({ page }) => {
  await page.clock.install()
  await notice(page, '一直在')
  await page.goto('/')
  await toasted(page, '一直在')
  await page.clock.runFor(60_000)
  await toasted(page, '一直在')
})

test('operator content is at the top, also for signed-in users, and without scrolling [R2.02 R2.03]', async ({
  page,
  signIn,
}) => {
  await signIn()
  await content(page, '## 本站须知')
  await page.goto('/')
  const written = await page.getByRole('heading', { name: '本站须知', exact: true }).boundingBox()
  const figures = await page.getByText('剩余额度', { exact: true }).boundingBox()
  expect(written?.y).toBeLessThan(figures?.y ?? 0)
})

test('before a choice the console uses the default language of the site, from the first paint on', async ({
  page,
  root,
}) => {
  await root.setOption('DefaultLocale', 'en')
  try {
    const html = await (await page.request.get('/', { headers: { 'accept-language': 'zh-CN' } })).text()
    expect(html).toContain('<html lang="en">')
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Welcome to Tollgate', exact: true })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.getByRole('button', { name: '切换到中文', exact: true }).click()
    await page.reload()
    await expect(page.getByRole('heading', { name: '欢迎使用 Tollgate', exact: true })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  } finally {
    await root.setOption('DefaultLocale', 'zh')
  }
})
