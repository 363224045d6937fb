import type { Page } from '@playwright/test'
import { showBusyAccount, today } from './support/calls.ts'
import { scrollTo } from './support/find.ts'
import { answer, withStatus } from './support/status.ts'
import { expect, inEnglish, test, toasted, toasts } from './support/test.ts'

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

test('a signed-in user sees balance, today and seven days by model [R2.03]', async ({ page, api, signIn }) => {
  await signIn()
  await showBusyAccount(page, api)
  await page.goto('/')
  const figure = (label: string) => page.getByText(label, { exact: true }).locator('..')
  await expect(figure('剩余额度')).toContainText('$16.90')
  await expect(figure('剩余额度')).toContainText('累计已用 $2.50')
  await expect(figure('今日消费')).toContainText('$1.50')
  await expect(figure('今日请求')).toContainText('4')
  await expect(figure('今日请求')).toContainText('我的 · 近 7 天 4 次')
  await expect(page.getByText(`统计你自己的调用 · 今日为 ${today()}（UTC+8）`)).toBeVisible()
  await expect(page.getByRole('radiogroup', { name: '统计范围', exact: true })).toHaveCount(0)
  await expect(figure('今日 Token')).toContainText('11.5k')
  const table = page.getByRole('table', { name: '近 7 天用量', exact: true })
  await expect(table.getByRole('columnheader')).toHaveText(['日期', 'claude', 'gpt-4.1'])
  await expect(table.getByRole('row')).toHaveCount(8)
  await expect(table.getByRole('row').last()).toHaveText(new RegExp(`${today()}.*\\$1\\.00.*\\$0\\.50`))
  await expect(page.locator('.recharts-bar-rectangle path')).not.toHaveCount(0)
  await expect(page.locator('.recharts-cartesian-axis-tick-value').filter({ hasText: '$' })).toHaveText([
    ...['$0.00', '$0.50', '$1.00', '$1.50'],
  ])
  await page.locator('.recharts-bar-rectangle path').last().hover()
  await expect(page.getByText(`${today()} · 合计 $1.50`)).toBeVisible()
  await page.getByText('请求数', { exact: true }).first().click()
  await expect(table.getByRole('row').last()).toHaveText(new RegExp(`${today()}.*3.*1`))
})

test('the longest balance stands on one line, on a phone as well', async ({ page, root, signInAs }) => {
  await signInAs(root)
  await page.addInitScript(() => localStorage.setItem('home_scope', 'mine'))
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['/', '/topup']) {
      await page.goto(path)
      const balance = page
        .getByRole('main')
        .locator('dd')
        .filter({ hasText: /^\$[\d,]{11,}\.\d\d$/ })
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

test('opening the overview makes at most 4 calls; the rest follows on the way down', async ({ page, api, signIn }) => {
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
  await expect
    .poll(() => calls.toSorted())
    .toEqual([...['/api/home_page_content', '/api/notice', '/api/user/dashboard', '/api/user/self']])
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

test('an administrator sees the gateway, the channels whose real calls fail, and can switch to the own calls', async ({
  page,
  root,
  signInAs,
}) => {
  const failing = {
    ...{
      id: 7,
      name: 'broken',
      type: 1,
      status: 1,
      status_reason: '',
      status_reason_en: '',
      response_time: 0,
      balance: 0,
    },
    ...{ balance_updated_time: 0, unpriced: [], reasons: ['failing'], last_error: 'No credit left' },
    ...{ recent: { failed: 3, calls: 3 }, day: { failed: 5, calls: 20 }, last_error_at: 1_800_000_000 },
  }
  const attention = {
    ...{ total: 3, enabled: 3, recent_since: Math.floor(Date.now() / 1000) - 900, day_since: 0 },
    ...{ more_failures: false, day: { failed: 5, calls: 200 }, channels: [failing] },
  }
  await answer(page, '**/api/channel/attention', { success: true, message: '', data: attention })
  const used = { ModelName: 'gpt-4.1', RequestCount: 9, PromptTokens: 1000, CompletionTokens: 500 }
  const rows = [{ ...used, Day: today(), Quota: 123 }]
  await answer(page, '**/api/log/dashboard?**', { success: true, message: '', data: rows })
  await signInAs(root)
  await page.goto('/')
  const figure = (label: string) => page.getByText(label, { exact: true }).locator('..')
  await expect(figure('今日消费')).toContainText('$0.00025')
  await expect(figure('今日消费')).toContainText('全站 · 近 7 天')
  await expect(figure('近 24 小时失败率')).toContainText('2.5%')
  await expect(figure('近 24 小时失败率')).toContainText('5 / 200 次失败')
  await expect(page.getByText('剩余额度', { exact: true })).toHaveCount(0)
  const item = page.getByRole('region', { name: '需要关注的渠道', exact: true }).getByRole('listitem')
  await expect(item).toContainText('近 15 分钟：3 次中失败 3 次（100%）')
  await expect(item).toContainText('近 24 小时：20 次中失败 5 次（25.0%）')
  await expect(item).toContainText('No credit left')
  await expect(item.getByRole('link', { name: 'broken', exact: true })).toHaveAttribute('href', '/channel/edit/7')
  await expect(item.getByRole('link', { name: '失败的调用', exact: true })).toHaveAttribute(
    'href',
    '/log?channel=7&type=6',
  )
  // Nobody says that all is fine where nothing is enabled.
  const region = page.getByRole('region', { name: '需要关注的渠道', exact: true })
  for (const [standing, sentence] of [
    [{ total: 3, enabled: 0 }, '3 个渠道都已手动禁用，启用一个才能转发调用。'],
    [{ total: 0, enabled: 0 }, '还没有渠道，添加一个才能转发调用。'],
    [{ total: 3, enabled: 2 }, '已启用的 2 个渠道（另有 1 个已手动禁用）都正常：近 24 小时调用 200 次，失败 5 次。'],
  ] as const) {
    const data = { ...attention, ...standing, channels: [] }
    await answer(page, '**/api/channel/attention', { success: true, message: '', data })
    await page.reload()
    await expect(region.getByText(sentence, { exact: true })).toBeVisible()
  }
  await page.getByText('我的', { exact: true }).click()
  await expect(page.getByText('剩余额度', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('剩余额度', { exact: true })).toBeVisible()
  await expect(page.getByText(/^统计你自己的调用/)).toBeVisible()
})

test('a newcomer sees what to do first and what of it is done, and administrators the channel step', async ({
  page,
  context,
  signIn,
  baseURL,
  signInAs,
  admin,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn()
  await page.goto('/')
  const steps = page.getByRole('region', { name: '开始使用', exact: true })
  await expect(steps.getByRole('heading', { level: 3 })).toHaveText([
    ...['充值', '准备一个令牌 （已完成）', '发出第一次调用'],
  ])
  await expect(steps).toContainText('令牌 default 已经可以使用')
  await steps.getByRole('button', { name: '复制密钥', exact: true }).click()
  await toasted(page, '密钥已复制到剪贴板')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^sk-\w{20,}$/)
  await expect(steps).toContainText(`curl ${baseURL}/v1/chat/completions`)
  await expect(page.getByRole('region', { name: '近 7 天用量', exact: true })).toHaveCount(0)
  await answer(page, '**/api/log/dashboard?**', { success: true, message: '', data: [] })
  await answer(page, '**/api/log/?**', { success: true, message: '', data: [] })
  await signInAs(admin)
  await page.goto('/')
  await expect(steps.getByRole('heading', { level: 3 })).toHaveText([
    /^添加一个渠道/,
    /^准备一个令牌/,
    '发出第一次调用',
  ])
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

test('what the operator wrote stands on top, for whoever is signed in as well, and without scrolling [R2.02 R2.03]', async ({
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

test('before anybody chose, the console speaks the language of the site, from the first paint on', async ({
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
