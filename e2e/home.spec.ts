import type { Page } from '@playwright/test'
import { unique } from './support/api.ts'
import { showBusyAccount, today } from './support/calls.ts'
import { scrollTo } from './support/find.ts'
import { answer } from './support/status.ts'
import { expect, inEnglish, test, toasted } from './support/test.ts'
import { showAttention, showUsage } from './support/usage.ts'

const figure = (page: Page, label: string) =>
  page.getByRole('main').locator('dt').getByText(label, { exact: true }).locator('..')

test('a signed-in user sees balance, today and seven days by model [R2.03]', async ({ page, api, signIn }) => {
  await signIn()
  await showBusyAccount(page, api)
  await showAttention(page, { until: Math.floor(Date.parse('2026-12-24T04:00:00Z') / 1000) })
  await showUsage(page, { calls: (place, index) => (index < 2 ? 100 * (place + 1) * (index + 1) : 0) })
  await page.goto('/')
  await expect(figure(page, '剩余额度')).toContainText('$16.90')
  await expect(figure(page, '剩余额度')).toContainText('按目前的用量，余额可用到 2026-12-24')
  await expect(figure(page, '消费')).toContainText('$72.59')
  await expect(figure(page, '消费')).toContainText('今天 $18.15')
  await expect(figure(page, '消费')).toContainText('+20%')
  await expect(figure(page, '调用次数')).toContainText('8,400')
  await expect(figure(page, '调用次数')).toContainText('今天 2,100')
  await expect(figure(page, '失败率')).toContainText('210 / 8,400 次失败')
  await expect(figure(page, 'Token 总数')).toContainText('今天 4.6M · 缓存命中 34.4%')
  await expect(
    page.getByText(new RegExp(`^你自己的调用 · .+ 至 ${today()} · Asia/Shanghai \\(UTC\\+8\\)`)),
  ).toBeVisible()
  await expect(page.getByRole('radiogroup', { name: '统计范围', exact: true })).toHaveCount(0)
  const table = page.getByRole('table', { name: '消费，按模型', exact: true })
  await expect(table.getByRole('columnheader')).toHaveText(['时间', 'gpt-4.1-mini', 'claude-sonnet-4-5'])
  await expect(table.getByRole('row')).toHaveCount(8)
  await expect(table.getByRole('row').last()).toHaveText(new RegExp(`${today()}.*\\$12\\.10.*\\$6\\.05`))
  await expect(page.locator('.recharts-cartesian-axis-tick-value').filter({ hasText: '$' })).toHaveText([
    ...['$0', '$5', '$10', '$15', '$20'],
  ])
  await page.locator('.recharts-bar-rectangle path').last().hover()
  await expect(page.getByText(`${today()} · 合计 $18.15`)).toBeVisible()

  // Another metric, another range: both are in the URL, and a reload keeps them.
  await page.getByRole('combobox', { name: '指标', exact: true }).selectOption('first_byte_p95')
  await expect(page.getByRole('table', { name: '首字节 P95，按模型', exact: true })).toBeAttached()
  await page.getByRole('combobox', { name: '拆分方式', exact: true }).selectOption('key')
  await page.getByRole('button', { name: '今天', exact: true }).click()
  await expect(page).toHaveURL('/?metric=first_byte_p95&split=key&range=today')
  const hours = page.getByRole('table', { name: '首字节 P95，按令牌', exact: true })
  await expect(hours.getByRole('row').nth(1)).toContainText(`${today()} 00:00`)
  await page.reload()
  await expect(hours.getByRole('row').nth(1)).toContainText(`${today()} 00:00`)
  await expect(page.getByRole('button', { name: '今天', exact: true })).toHaveAttribute('aria-pressed', 'true')

  // A period without calls says what to do.
  await showUsage(page, { calls: () => 0 })
  await page.getByRole('button', { name: '昨天', exact: true }).click()
  await page.getByRole('link', { name: '看近 30 天', exact: true }).click()
  await expect(page).toHaveURL(/range=30d/)

  // A balance that is used up lasts until no day.
  const { data } = await api.call('GET', '/api/user/self')
  await answer(page, '**/api/user/self', { success: true, message: '', data: { ...data, quota: -14, used_quota: 500 } })
  await page.goto('/')
  await expect(figure(page, '剩余额度')).toContainText('-$0.000028')
  await expect(figure(page, '剩余额度')).toContainText('已用完，请充值')
})

test('a balance fits on one line, on a phone as well, and so does the longest', async ({ page, root, signInAs }) => {
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
  const { data } = await root.call('GET', '/api/user/self')
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [quota, shown] of [
    [6_172_835_000, '$12,345.67'],
    [-14, '-$0.000028'],
    [617_283_500, '$1,234.57'],
  ] as const) {
    await answer(page, '**/api/user/self', { success: true, message: '', data: { ...data, quota } })
    await page.goto('/')
    await expect(figure(page, '剩余额度').locator('dd').filter({ hasText: shown })).toHaveCSS('height', '32px')
  }
})

test('a day is that of the reader: in Shanghai it begins at 16:00 UTC', async ({ page, api, signIn }) => {
  await signIn()
  await showBusyAccount(page, api)
  await page.clock.setFixedTime('2026-11-15T16:30:00Z')
  const asked = page.waitForRequest(/\/api\/analytics\/self\?/)
  await page.goto('/')
  const { searchParams } = new URL((await asked).url())
  expect(Object.fromEntries(searchParams)).toEqual({
    ...{ zone: 'Asia/Shanghai', by: 'time,model', order: 'quota' },
    start: String(Date.parse('2026-11-09T16:00:00Z') / 1000),
    end: String(Date.parse('2026-11-15T17:00:00Z') / 1000),
  })
  const table = page.getByRole('table', { name: '消费，按模型', exact: true })
  await expect(table.getByRole('row').last()).toContainText('2026-11-16')
  await expect(table.getByRole('row').nth(1)).toContainText('2026-11-10')
})

test('opening the overview makes at most 5 calls; the rest follows on scrolling', async ({ page, api, signIn }) => {
  await signIn()
  await showBusyAccount(page, api)
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && pathname !== '/api/status') calls.push(pathname)
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: '消费，按模型', exact: true })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect
    .poll(() => calls.toSorted())
    .toEqual([
      ...['/api/analytics/self', '/api/analytics/self/attention', '/api/home_page_content', '/api/notice'],
      '/api/user/self',
    ])
  const recent = page.waitForRequest('**/api/log/self?**')
  await scrollTo(page, page.getByText('还没有调用。'))
  await recent
})

test('recent calls are listed, and nothing else of the log, with a link to all of it', async ({
  page,
  api,
  root,
  account,
  signIn,
}) => {
  const { data } = await root.call('GET', `/api/user/search?keyword=${account.username}`)
  await root.call('PUT', '/api/user/', { id: data[0].id, quota: 500_000 })
  // A refused call is one too.
  const { key } = await api.makeToken({ unlimited_quota: true })
  const model = unique('unknown-')
  const request = { model, messages: [{ role: 'user', content: 'hi' }] }
  await page.request.post('/v1/chat/completions', { headers: { Authorization: `Bearer sk-${key}` }, data: request })
  await signIn()
  await showBusyAccount(page, api)
  await page.goto('/')
  const recent = page.getByRole('region', { name: '最近的调用', exact: true })
  await recent.scrollIntoViewIfNeeded()
  await expect(async () => {
    await page.reload()
    await recent.scrollIntoViewIfNeeded()
    await expect(recent.getByRole('listitem')).toContainText([model], { timeout: 3000 })
  }).toPass()
  await expect(recent.getByRole('link', { name: '查看全部日志', exact: true })).toHaveAttribute('href', '/log')
  await expect(page.getByRole('region', { name: '需要关注', exact: true })).toHaveCount(0)
})

test('an administrator sees the gateway and what needs attention, and can switch to their own calls', async ({
  page,
  root,
  signInAs,
}) => {
  const failing = {
    ...{ id: 7, name: 'broken', type: 1, status: 1, status_reason: '', status_reason_en: '', response_time: 0 },
    ...{ balance: 0, balance_updated_time: 0, unpriced: [], reasons: ['failing', 'slower'] },
    ...{ last_error: 'No credit left', last_error_at: 1_800_000_000, last_request_id: 'req-1' },
    ...{ recent: { failed: 3, calls: 3 }, day: { failed: 5, calls: 20, saved: 2 } },
    slower: { hour_p95: 4200, hour_calls: 300, week_p95: 900 },
  }
  const unpriced = [8, 9].map((id) => ({
    ...{
      ...failing,
      id,
      name: `cheap ${id}`,
      unpriced: ['new-model', `own-${id}`],
      reasons: ['unpriced'],
      last_error: '',
    },
    ...{ recent: { failed: 0, calls: 9 }, day: { failed: 0, calls: 9, saved: 0 }, slower: null },
  }))
  const ending = {
    ...{ id: 4, name: 'batch', username: 'bob', reasons: ['used_up'], expired_time: -1 },
    ...{ remain_quota: 100_000, used_quota: 4_900_000, unlimited_quota: false },
  }
  const counted = {
    ...{ total: 3, enabled: 3, recent_since: Math.floor(Date.now() / 1000) - 900, day_since: 0 },
    ...{ more_failures: false, day: { failed: 5, calls: 200, saved: 2 }, channels: [] },
  }
  await answer(page, '**/api/channel/attention', { success: true, message: '', data: counted })
  await showAttention(page, { channels: [failing, ...unpriced], keys: { expiring: 0, used_up: 1, list: [ending] } })
  await showUsage(page)
  await signInAs(root)
  await page.goto('/')
  await expect(figure(page, '活跃用户')).toContainText('使用了 58 个令牌')
  await expect(figure(page, '首字节 P95')).toContainText('中位数 480 ms')
  await expect(page.getByText('剩余额度', { exact: true })).toHaveCount(0)
  const region = page.getByRole('region', { name: '需要关注', exact: true })
  const item = region.getByRole('listitem').first()
  await expect(item).toContainText('近 15 分钟：3 次中失败 3 次（100%）')
  await expect(item).toContainText('近 24 小时：20 次中失败 5 次（25.0%），其中 2 次由其他渠道重试成功')
  await expect(item).toContainText('比平时慢：近 1 小时首字节 P95 为 4.20 s，近 7 天为 900 ms')
  await expect(item).toContainText('No credit left')
  await expect(item.getByRole('link', { name: 'broken', exact: true })).toHaveAttribute('href', '/channel/edit/7')
  await expect(item.getByRole('link', { name: '失败的调用', exact: true })).toHaveAttribute(
    'href',
    /^\/log\?channel=7&type=6&start=\d+$/,
  )
  // Channels that only miss prices are one row.
  await expect(region.getByRole('listitem')).toHaveCount(3)
  await expect(region.getByRole('listitem').nth(1)).toContainText('3 个模型没有价格：new-model, own-8, own-9')
  await expect(region.getByRole('link', { name: /^3 个模型没有价格/ })).toHaveAttribute(
    'href',
    '/setting?tab=operation&model=new-model#ratios',
  )
  await expect(region.getByRole('link', { name: '2 个渠道', exact: true })).toHaveAttribute(
    'href',
    '/channel?unpriced=true',
  )
  await expect(region.getByRole('listitem').last()).toContainText('额度 $10.00，剩余 $0.20')

  // Of many only the first are listed; the others are one click away.
  const many = Array.from({ length: 10 }, (_, id) => ({ ...failing, id: 20 + id, name: `broken ${id}` }))
  const keys = Array.from({ length: 10 }, (_, id) => ({ ...ending, id: 30 + id, name: `batch ${id}` }))
  await showAttention(page, { channels: many, keys: { expiring: 0, used_up: 40, list: keys } })
  await page.reload()
  await expect(region.getByRole('listitem').last()).toHaveText('40 个令牌即将用完')
  await expect(region.getByRole('link', { name: '40 个令牌即将用完', exact: true })).toHaveAttribute(
    'href',
    '/token/all?status=6',
  )
  await expect(region.getByRole('link', { name: /^令牌 batch/ })).toHaveCount(5)
  await expect(region.getByRole('link', { name: /^broken/ })).toHaveCount(8)
  await region.getByRole('button', { name: '显示另外 2 个渠道', exact: true }).click()
  await expect(region.getByRole('link', { name: /^broken/ })).toHaveCount(10)

  // The largest spenders link to Analytics and to the log.
  const top = page.getByRole('region', { name: '用得最多的用户', exact: true })
  await scrollTo(page, top.getByText('alice', { exact: true }))
  await expect(top.getByRole('link', { name: 'alice', exact: true })).toHaveAttribute(
    'href',
    /^\/analytics\?user=alice/,
  )
  await expect(top.getByRole('link', { name: '$54.44', exact: true })).toHaveAttribute(
    'href',
    /^\/log\?type=2&username=alice&start=\d+&end=\d+$/,
  )

  // Without enabled channels the page must not say that all is well.
  await showAttention(page)
  for (const [standing, sentence] of [
    [{ total: 3, enabled: 0 }, '3 个渠道都已手动禁用，启用一个才能转发调用。'],
    [{ total: 0, enabled: 0 }, '还没有渠道，添加一个才能转发调用。'],
    [{ total: 3, enabled: 2 }, '已启用的 2 个渠道（另有 1 个已手动禁用）都正常：近 24 小时调用 200 次，失败 5 次。'],
  ] as const) {
    await answer(page, '**/api/channel/attention', { success: true, message: '', data: { ...counted, ...standing } })
    await page.reload()
    await expect(region.getByText(sentence, { exact: true })).toBeVisible()
  }
  await page.getByText('我的', { exact: true }).click()
  await expect(page.getByText('剩余额度', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('剩余额度', { exact: true })).toBeVisible()
  await expect(page.getByText(/^你自己的调用/)).toBeVisible()
})

test('a new user sees the first steps and which are done; administrators also see the channel step', async ({
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
  await expect(page.getByRole('region', { name: '消费，按模型', exact: true })).toHaveCount(0)
  await showUsage(page, { calls: () => 0 })
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

test('tiles keep their height while they load', async ({ page, api, signIn }) => {
  await showBusyAccount(page, api)
  let answerNow = () => {}
  const answered = new Promise<void>((resolve) => {
    answerNow = resolve
  })
  await page.route(/\/api\/analytics\/self\?/, async (route) => {
    await answered
    await route.fallback()
  })
  await signIn()
  await page.goto('/')
  const tiles = page.locator('dl > div').filter({ has: page.locator('dt') })
  const heights = () => tiles.evaluateAll((all) => all.slice(0, 6).map((tile) => tile.getBoundingClientRect().height))
  await expect(figure(page, '剩余额度')).toContainText('$')
  const loading = await heights()
  answerNow()
  await expect(figure(page, '消费')).toContainText('$')
  expect(await heights()).toEqual(loading)
})

test('figures that cannot be loaded offer a retry', async ({ page, signIn }) => {
  await signIn()
  await page.route('**/api/analytics/self?**', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/')
  await expect(page.getByText('加载失败')).toBeVisible()
  await page.unroute('**/api/analytics/self?**')
  await page.getByRole('button', { name: '重试', exact: true }).click()
  await expect(page.getByText('剩余额度')).toBeVisible()
})

test('the home page is available in English [R0.02]', async ({ page, signIn }) => {
  await inEnglish(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Welcome to Tollgate', exact: true })).toBeVisible()
  await signIn()
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Get started', exact: true })).toBeVisible()
})
