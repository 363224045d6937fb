import type { Page } from '@playwright/test'
import { showBusyAccount, today } from './support/calls.ts'
import { scrollTo } from './support/find.ts'
import { answer, withStatus } from './support/status.ts'
import { expect, inEnglish, test, toasted, toasts } from './support/test.ts'

const content = (page: Page, data: string) =>
  answer(page, '**/api/home_page_content', { success: true, message: '', data })
const notice = (page: Page, data: string) => answer(page, '**/api/notice', { success: true, message: '', data })

test('a visitor without content sees a welcome and the state of the system [R2.02]', async ({ page }) => {
  await withStatus(page, {
    system_name: 'My Gateway',
    github_oauth: true,
    start_time: 1_800_000_000,
    version: 'v0.1.0',
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: '欢迎使用 My Gateway', exact: true })).toBeVisible()
  const info = page.getByRole('region', { name: '系统信息', exact: true })
  await expect(info).toContainText('My Gateway')
  await expect(info).toContainText('v0.1.0')
  await expect(info).toContainText('2027-01-15 16:00:00')
  const config = page.getByRole('region', { name: '系统配置', exact: true })
  for (const name of ['邮箱验证', 'GitHub 身份验证', '微信身份验证', 'Turnstile 用户校验']) {
    await expect(config).toContainText(name)
  }
  await expect(config.getByText('已启用')).toHaveCount(1)
  await expect(config.getByText('未启用')).toHaveCount(3)
})

test('content is Markdown or HTML, and cannot run [R2.02]', async ({ page }) => {
  // No event handler in it: Chromium reports those to the policy while they are still being taken out.
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
  await page.unroute('**/api/notice')
  await notice(page, '维护推迟到明晚')
  await page.reload()
  await expect(shown).toContainText('维护推迟到明晚')
})

test('a sticky notice outlives the usual twenty seconds [R9.02]', async ({ page }) => {
  await page.clock.install()
  await notice(page, '一直在')
  await page.goto('/')
  await toasted(page, '一直在')
  await page.clock.runFor(60_000)
  await toasted(page, '一直在')
})

test('a signed-in user sees balance, today and seven days by model [R2.03]', async ({ page, api, signIn }) => {
  await signIn()
  await showBusyAccount(page, api)
  await page.goto('/')
  const figure = (label: string) => page.getByText(label, { exact: true }).locator('..')
  await expect(figure('剩余额度')).toContainText('$16.90')
  await expect(figure('剩余额度')).toContainText('累计已用 $2.50')
  await expect(figure('今日消费')).toContainText('$1.50')
  await expect(figure('今日请求')).toContainText('4')
  await expect(figure('今日请求')).toContainText('累计 12.3k 次')
  await expect(figure('今日 Token')).toContainText('11.5k')
  const table = page.getByRole('table', { name: '近 7 天用量', exact: true })
  await expect(table.getByRole('columnheader')).toHaveText(['日期', 'claude', 'gpt-4.1'])
  await expect(table.getByRole('row')).toHaveCount(8)
  await expect(table.getByRole('row').last()).toHaveText(new RegExp(`${today()}.*\\$1\\.00.*\\$0\\.50`))
  await expect(page.locator('.recharts-bar-rectangle path')).not.toHaveCount(0)
  await page.getByText('请求数', { exact: true }).first().click()
  await expect(table.getByRole('row').last()).toHaveText(new RegExp(`${today()}.*3.*1`))
})

test('the longest balance stands on one line, on a phone as well', async ({ page, root, signInAs }) => {
  await signInAs(root)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['/', '/topup']) {
      await page.goto(path)
      const balance = page
        .getByRole('main')
        .locator('dd')
        .filter({ hasText: /^\$\d{9}/ })
      await expect(balance).toHaveCSS('height', '32px')
    }
  }
})

test('a day is the reader’s own: in Shanghai it begins at 16:00 of UTC', async ({ page, api, signIn }) => {
  await signIn()
  await showBusyAccount(page, api, ['2026-11-15', '2026-11-16'])
  await page.clock.setFixedTime('2026-11-15T16:30:00Z')
  const asked = page.waitForRequest('**/api/user/dashboard?utc_offset_minutes=480')
  await page.goto('/')
  await asked
  const figure = (label: string) => page.getByText(label, { exact: true }).locator('..')
  await expect(figure('今日请求')).toContainText('4')
  await expect(figure('今日消费')).toContainText('$1.50')
  await expect(figure('今日消费')).toContainText('$3.00')
  const table = page.getByRole('table', { name: '近 7 天用量', exact: true })
  await expect(table.getByRole('row').last()).toContainText('2026-11-16')
  await expect(table.getByRole('row').nth(1)).toContainText('2026-11-10')
})

test('opening the overview makes at most 3 calls; the rest follows on the way down', async ({ page, api, signIn }) => {
  await signIn()
  await showBusyAccount(page, api)
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && pathname !== '/api/status') calls.push(pathname)
  })
  await page.goto('/')
  await expect(page.getByText('近 7 天用量').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => calls.toSorted()).toEqual(['/api/notice', '/api/user/dashboard', '/api/user/self'])
  const recent = page.waitForRequest('**/api/log/self?**')
  await scrollTo(page, page.getByText('还没有记录。'))
  await recent
})

test('recent calls are listed with a way to all of them', async ({ page, api, root, account, signIn }) => {
  const { data } = await root.call('GET', `/api/user/search?keyword=${account.username}`)
  await root.call('PUT', '/api/user/', { id: data[0].id, quota: 500_000 })
  await signIn()
  await showBusyAccount(page, api)
  await page.goto('/')
  const recent = page.getByRole('region', { name: '最近的调用', exact: true })
  await recent.scrollIntoViewIfNeeded()
  await expect(recent.getByRole('listitem')).toContainText(['管理员将用户额度'])
  await expect(recent.getByRole('link', { name: '查看全部日志', exact: true })).toHaveAttribute('href', '/log')
  await expect(page.getByRole('region', { name: '需要关注的渠道', exact: true })).toHaveCount(0)
})

test('an administrator sees the channels that need attention', async ({ page, root, signInAs }) => {
  await root.makeChannel({ name: 'resting-channel' })
  const { data } = await root.call('GET', '/api/channel/search?keyword=resting-channel')
  await root.call('PUT', '/api/channel/', { id: data[0].id, status: 2 })
  await signInAs(root)
  await page.goto('/')
  const attention = page.getByRole('region', { name: '需要关注的渠道', exact: true })
  await attention.scrollIntoViewIfNeeded()
  const item = attention.getByRole('listitem').filter({ hasText: 'resting-channel' })
  await expect(item).toContainText('已手动禁用')
  await expect(item.getByRole('link')).toHaveAttribute('href', `/channel/edit/${data[0].id}`)
})

test('a newcomer sees what to do first, and administrators the channel step', async ({
  page,
  signIn,
  baseURL,
  signInAs,
  admin,
}) => {
  await signIn()
  await page.goto('/')
  const steps = page.getByRole('region', { name: '开始使用', exact: true })
  await expect(steps.getByRole('heading', { level: 3 })).toHaveText(['充值', '创建一个令牌', '发出第一次调用'])
  await expect(steps.getByRole('link', { name: '创建令牌', exact: true })).toHaveAttribute('href', '/token/add')
  await expect(steps).toContainText(`curl ${baseURL}/v1/chat/completions`)
  await expect(page.getByRole('region', { name: '近 7 天用量', exact: true })).toHaveCount(0)
  await signInAs(admin)
  await page.goto('/')
  await expect(steps.getByRole('heading', { level: 3 })).toHaveText(['添加一个渠道', '创建一个令牌', '发出第一次调用'])
  await expect(steps.getByRole('link', { name: '添加渠道', exact: true })).toHaveAttribute('href', '/channel/add')
})

test('the sample of the first call can be copied', async ({ page, context, signIn, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn()
  await page.goto('/')
  await page.getByRole('button', { name: '复制', exact: true }).click()
  await toasted(page, '已复制到剪贴板')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${baseURL}/v1/chat/completions`)
})

test('below the overview stands what visitors see [R2.02 R2.03]', async ({ page, signIn }) => {
  await signIn()
  await content(page, '## 本站须知')
  await page.goto('/')
  await expect(page.getByRole('region', { name: '系统信息', exact: true })).toBeVisible()
  await scrollTo(page, page.getByRole('heading', { name: '本站须知', exact: true }))
})

test('figures that cannot be loaded offer to try again', async ({ page, signIn }) => {
  await signIn()
  await page.route('**/api/user/dashboard?**', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/')
  await expect(page.getByText('加载失败')).toBeVisible()
  await page.unroute('**/api/user/dashboard?**')
  await page.getByRole('button', { name: '重试', exact: true }).click()
  await expect(page.getByText('剩余额度')).toBeVisible()
})

test('the home page speaks English [R0.02]', async ({ page, signIn }) => {
  await inEnglish(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Welcome to Tollgate', exact: true })).toBeVisible()
  await signIn()
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Get started', exact: true })).toBeVisible()
})
