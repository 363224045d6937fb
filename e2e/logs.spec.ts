import { readFileSync } from 'node:fs'
import type { Page, Request } from '@playwright/test'
import { fund, unique } from './support/api.ts'
import { CALL, showLogs } from './support/calls.ts'
import { field } from './support/find.ts'
import { expect, inEnglish, test, toasts } from './support/test.ts'

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const queryOf = (request: Request) => Object.fromEntries(new URL(request.url()).searchParams)
const isList = (request: Request) => /\/api\/log\/(self)?\?/.test(request.url())

/** The page with one call in its list, so that nothing is prefetched; returns the lists requested from then on. */
async function openedLogs(page: Page) {
  await showLogs(page, [CALL])
  await page.goto('/log')
  await expect(page.getByRole('table')).toContainText(CALL.model_name)
  const lists: Request[] = []
  page.on('request', (request) => isList(request) && lists.push(request))
  return lists
}

test('a user sees their own logs, without the filters of administrators [R2.26 R1.01 R6.05 R7.67 R7.69]', async ({
  page,
  root,
  api,
  signIn,
}) => {
  const { data: keys } = await root.call('POST', '/api/redemption/', { name: unique('l'), quota: 500_000 })
  await api.call('POST', '/api/user/topup', { key: keys[0] })
  await signIn()
  const list = page.waitForRequest('**/api/log/self?**')
  const statistic = page.waitForRequest('**/api/log/self/stat?**')
  await page.goto('/log')
  for (const asked of [queryOf(await list), queryOf(await statistic)]) {
    expect(asked).not.toHaveProperty('username')
    expect(asked).not.toHaveProperty('channel')
  }
  await expect(row(page, '通过兑换码充值')).toContainText('充值')
  await expect(row(page, '通过兑换码充值')).toContainText(/\$1\.00(?!0)/)
  await expect(field(page, '渠道 ID')).toHaveCount(0)
  await expect(field(page, '用户名称')).toHaveCount(0)
  await expect(page.getByRole('columnheader', { name: '渠道', exact: true })).toHaveCount(0)
})

test('an administrator sees the logs of all users and filters by channel and user [R1.02 R6.03 R7.66 R7.68]', async ({
  page,
  root,
  account,
  api,
  signInAs,
}) => {
  const { data: keys } = await root.call('POST', '/api/redemption/', { name: unique('l') })
  await api.call('POST', '/api/user/topup', { key: keys[0] })
  await signInAs(root)
  await page.goto('/log')
  await field(page, '用户名称').fill(account.username)
  const list = page.waitForRequest((request) => isList(request) && request.url().includes(account.username))
  const statistic = page.waitForRequest('**/api/log/stat?**')
  await page.keyboard.press('Enter')
  expect(queryOf(await list)).toMatchObject({ p: '0', username: account.username })
  expect(queryOf(await statistic)).toMatchObject({ username: account.username })
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(row(page, account.username)).toBeVisible()
  await field(page, '渠道 ID').fill('12')
  const byChannel = page.waitForRequest((request) => isList(request) && request.url().includes('channel=12'))
  await page.getByRole('button', { name: '查询', exact: true }).click()
  await byChannel
  await expect(page.getByText('没有符合条件的日志')).toBeVisible()
  await page.getByRole('link', { name: '清空筛选', exact: true }).click()
  await expect(page).toHaveURL(/\/log$/)
  await expect(field(page, '用户名称')).toHaveValue('')
})

test('filters are applied on Search or Enter only, and are part of the URL [R2.95]', async ({ page, signIn }) => {
  await signIn()
  const lists = await openedLogs(page)
  await field(page, '令牌名称').pressSequentially('prod-web', { delay: 10 })
  await field(page, '模型名称').pressSequentially('gpt-4o', { delay: 10 })
  await field(page, '起始时间').fill('2026-01-02 03:04:05')
  await field(page, '结束时间').fill('2026-02-03')
  expect(lists).toHaveLength(0)
  await page.getByRole('button', { name: '查询', exact: true }).click()
  await expect.poll(() => lists.length).toBe(1)
  expect(queryOf(lists[0] as Request)).toMatchObject({
    token_name: 'prod-web',
    model_name: 'gpt-4o',
    start_timestamp: String(Date.parse('2026-01-02T03:04:05+08:00') / 1000),
    end_timestamp: String(Date.parse('2026-02-03T00:00:00+08:00') / 1000),
  })
  await page.reload()
  await expect(field(page, '令牌名称')).toHaveValue('prod-web')
  await expect(field(page, '起始时间')).toHaveValue('2026-01-02 03:04:05')
  await page.goBack()
  await expect(field(page, '令牌名称')).toHaveValue('')
})

test('each type can be chosen and has its name [R4.13 R2.95]', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/log')
  const type = field(page, '类型')
  await expect(type.getByRole('option')).toHaveText([
    '全部类型',
    '充值',
    '消费',
    '管理',
    '系统',
    '渠道测试',
    '失败的调用',
    '全部调用',
  ])
  for (const value of ['1', '2', '3', '4', '5', '6', '7']) {
    const asked = page.waitForRequest((request) => isList(request) && queryOf(request).type === value)
    await type.selectOption(value)
    await asked
    await expect(page).toHaveURL(new RegExp(`type=${value}$`))
  }
  await showLogs(
    page,
    [1, 2, 3, 4, 5, 6, 9].map((kind) => ({ ...CALL, id: kind, type: kind, model_name: `model-${kind}` })),
  )
  await page.goto('/log')
  for (const [kind, label] of Object.entries({
    1: '充值',
    2: '消费',
    3: '管理',
    4: '系统',
    5: '测试',
    6: '失败',
    9: '未知',
  })) {
    await expect(row(page, `model-${kind}`)).toContainText(label)
  }
})

test('the range ends one hour ahead and has no start; quick ranges set one [R2.96]', async ({ page, signIn }) => {
  await signIn()
  await page.clock.setFixedTime('2026-11-15T10:00:00+08:00')
  const now = Date.parse('2026-11-15T10:00:00+08:00') / 1000
  const first = page.waitForRequest(isList)
  await page.goto('/log')
  expect(queryOf(await first)).toMatchObject({ start_timestamp: '0', end_timestamp: String(now + 3600) })
  await expect(field(page, '起始时间')).toHaveValue('')
  await expect(field(page, '结束时间')).toHaveValue('2026-11-15 11:00:00')
  const ranges = { '1 小时': now - 3600, 今天: now - 36_000, '7 天': now - 604_800, '30 天': now - 2_592_000 }
  for (const [name, start] of Object.entries(ranges)) {
    const asked = page.waitForRequest(
      (request) => isList(request) && queryOf(request).start_timestamp === String(start),
    )
    await page.getByRole('button', { name, exact: true }).click()
    expect(queryOf(await asked)).toMatchObject({ end_timestamp: String(now + 3600) })
    await expect(page.getByRole('button', { name, exact: true })).toHaveAttribute('aria-pressed', 'true')
  }
  await page.getByRole('button', { name: '全部', exact: true }).click()
  await expect(page).toHaveURL(/\/log$/)
})

test('an invalid time, a reversed range and an invalid channel are refused', async ({ page, root, signInAs }) => {
  await signInAs(root)
  const lists = await openedLogs(page)
  await field(page, '起始时间').fill('昨天')
  await field(page, '渠道 ID').fill('abc')
  await page.getByRole('button', { name: '查询', exact: true }).click()
  await expect(page.getByText('时间格式错误')).toBeVisible()
  await expect(page.getByText('渠道 ID 应为正整数')).toBeVisible()
  await field(page, '渠道 ID').fill('')
  await field(page, '起始时间').fill('2026-02-02')
  await field(page, '结束时间').fill('2026-02-01')
  await page.getByRole('button', { name: '查询', exact: true }).click()
  await expect(page.getByText('结束时间早于起始时间')).toBeVisible()
  expect(lists).toHaveLength(0)
})

test('the total quota of the filter is shown at the top [R2.97]', async ({ page, signIn }) => {
  await signIn()
  await page.route('**/api/log/self/stat?**', (route) => {
    const quota = route.request().url().includes('model_name=dear') ? 2_500_000 : 700_000
    return route.fulfill({ json: { success: true, message: '', data: { quota, rounded: false } } })
  })
  await page.goto('/log')
  const statistic = page.getByText('总消耗额度').locator('..')
  await expect(statistic).toContainText('$1.40')
  await field(page, '模型名称').fill('dear')
  await page.keyboard.press('Enter')
  await expect(statistic).toContainText('$5.00')
})

test('a row shows the facts of a call [R3.19 R9.06]', async ({ page, root, signInAs }) => {
  await signInAs(root)
  await showLogs(page, [CALL])
  await page.goto('/log')
  const cells = row(page, 'gpt-4.1-mini')
  for (const fact of ['#3', 'alice', 'prod-web', '消费', '2,000', '321', '<$0.01', '倍率']) {
    await expect(cells).toContainText(fact)
  }
  await expect(cells.getByTitle('$0.001926 (963)', { exact: true })).toBeVisible()
  await expect(cells.getByRole('time')).toHaveText('2027-01-15 16:00:00')
})

test('a row opens everything that is known about the call', async ({ page, root, signInAs }) => {
  await signInAs(root)
  await showLogs(page, [CALL])
  await page.goto('/log')
  await row(page, 'gpt-4.1-mini').click()
  const panel = page.getByRole('dialog', { name: '日志详情', exact: true })
  for (const fact of ['req-0192f3c4', '$0.001926 (963)', '流式', '740 ms', '2.46 s'])
    await expect(panel).toContainText(fact)
  await expect(panel.getByRole('row', { name: /^输入/ })).toHaveText(/1,900.*\$0\.4.*380/)
  await expect(panel.getByRole('row', { name: /^缓存命中/ })).toHaveText(/100.*\$0\.1.*5/)
  await expect(panel).toContainText('641.8 × 1.5，向上取整 = 963')
  await expect(panel).toContainText('上游没有返回用量，这里是估算值。')
  await expect(panel).toContainText('价格来自内置价格库。')
  const attempts = panel.getByRole('region', { name: '调用过程', exact: true }).getByRole('listitem')
  await expect(attempts).toHaveText([/backup.*失败（429）.*320 ms.*Rate limit reached/, /main.*成功.*2\.14 s/])
  const candidates = panel.getByRole('region', { name: '渠道选择', exact: true }).getByRole('listitem')
  await expect(candidates).toHaveText([
    /backup.*第 1 次尝试时选中，但失败了（429）/,
    /main.*第 2 次尝试时选中，并作出了回答/,
    /resting.*没有选择：之前触发了限流，正在冷却/,
  ])
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
})

test('a long call shows the length at which its price tier begins, and searches are not tokens', async ({
  page,
  signIn,
}) => {
  await signIn()
  const usage = { input: 200_001, output: 10, webSearches: 2, requests: 1 }
  const rates = { input: '1.25', output: '7.5', webSearches: '5000', requests: '6000' }
  const price = { source: 'library', group: 'default', factor: '1', above: 200_000, rates }
  await showLogs(page, [{ ...CALL, quota: 266_077, detail: { ...CALL.detail, source: 'reported', usage, price } }])
  await page.goto('/log')
  await row(page, 'gpt-4.1-mini').click()
  const panel = page.getByRole('dialog', { name: '日志详情', exact: true })
  await expect(panel).toContainText('输入超过 200,000 tokens，整次调用按长上下文单价计费。')
  await expect(panel.getByRole('row', { name: /^联网搜索/ })).toHaveText(/2\$10 \/ 千次10,000$/)
  await expect(panel.getByRole('row', { name: /^请求/ })).toHaveText(/1\$12 \/ 千次6,000$/)
  await expect(panel.getByRole('row', { name: /^输入/ })).toHaveText(/200,001\$2\.5 \/ 百万250,001\.25$/)
  await expect(panel.getByRole('columnheader', { name: '数量', exact: true })).toBeVisible()
  await expect(panel.getByRole('row', { name: /^合计/ })).toHaveText(/^合计266,076\.25$/)
  await expect(panel).toContainText('266,076.25 × 1，向上取整 = 266,077')
})

test('an agent’s call shows its session, with a link to its calls and a button back to all', async ({
  page,
  root,
  signInAs,
}) => {
  const session = '0b9a7c1e-6a55-4b1c-9e42-0d1f2a3b4c5d'
  await signInAs(root)
  await showLogs(page, [{ ...CALL, detail: { ...CALL.detail, session } }])
  await page.goto('/log')
  await expect(field(page, '会话')).toHaveCount(0)
  await row(page, 'gpt-4.1-mini').click()
  const panel = page.getByRole('dialog', { name: '日志详情', exact: true })
  await expect(panel).toContainText(session)
  const list = page.waitForRequest((request) => isList(request) && request.url().includes(session))
  await panel.getByRole('link', { name: '此会话的调用', exact: true }).click()
  expect(queryOf(await list)).toMatchObject({ session, username: CALL.username })
  await expect(panel).toBeHidden()
  await expect(field(page, '会话')).toHaveValue(session)
  await page.getByRole('button', { name: '重置', exact: true }).click()
  await expect(page).toHaveURL(/\/log$/)
  await expect(field(page, '会话')).toHaveCount(0)
})

test('a failed call shows its error in two lines of the list, and once in its panel', async ({
  page,
  root,
  signInAs,
}) => {
  const error =
    'The model `gpt-4.1-mini` does not exist, or the key has no access to it. Check the plan of the account.'
  const attempts = [{ channel: 2, name: 'backup', status: 404, ms: 320, error }]
  const failed = { type: 6, quota: 0, prompt_tokens: 0, completion_tokens: 0, content: `调用失败：${error}` }
  await signInAs(root)
  await showLogs(page, [{ ...CALL, ...failed, detail: { ...CALL.detail, error, attempts } }])
  await page.goto('/log')
  const note = row(page, 'gpt-4.1-mini').getByTitle(error, { exact: true })
  const lines = await note.evaluate((box) => box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight))
  expect(lines).toBe(2)
  await note.click()
  const panel = page.getByRole('dialog', { name: '日志详情', exact: true })
  await expect(panel.getByText(error)).toHaveCount(1)
  const candidates = panel.getByRole('region', { name: '渠道选择', exact: true }).getByRole('listitem')
  await expect(candidates.nth(1)).toContainText('没有尝试：轮到它之前，请求已经结束')
})

test('by keyboard the detail opens from a button and returns the focus', async ({ page, signIn }) => {
  await signIn()
  await showLogs(page, [CALL])
  await page.goto('/log')
  const open = page.getByRole('button', { name: /查看 .* 的日志详情/ })
  await open.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: '日志详情', exact: true })
  await expect(panel).toContainText('gpt-4.1-mini')
  // Only operators see which channels exist.
  await expect(panel.getByRole('region', { name: '调用过程', exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(open).toBeFocused()
})

test('applying the same filter again reloads', async ({ page, signIn }) => {
  await signIn()
  const lists = await openedLogs(page)
  await page.getByRole('button', { name: '查询', exact: true }).click()
  await expect.poll(() => lists.length).toBe(1)
})

test('logs are paged with their total, and the next page is prefetched [R4.26 R4.27]', async ({ page, signIn }) => {
  await signIn()
  await showLogs(
    page,
    Array.from({ length: 10 }, (_, index) => ({ ...CALL, id: index + 1 })),
    42,
  )
  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/api/') && calls.push(request.url()))
  const ahead = page.waitForResponse((answer) => isList(answer.request()) && queryOf(answer.request()).p === '1')
  await page.goto('/log')
  await expect(page.getByText('第 1–10 条，共 42 条')).toBeVisible()
  await (await ahead).finished()
  // The status, the sum, this page and the next.
  expect(calls.length).toBeLessThanOrEqual(4)
  await page.route(/\/api\/log\/(self)?\?/, (route) => route.abort())
  await page.getByRole('button', { name: '第 2 页', exact: true }).click()
  await expect(page.getByText('第 11–20 条，共 42 条')).toBeVisible()
  await expect(page).toHaveURL(/page=2/)
})

test('on a phone the entries are cards and the filters fold away [R2.37]', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn()
  await showLogs(page, [CALL])
  await page.goto('/log')
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(page.getByRole('list', { name: '使用日志', exact: true }).getByRole('listitem')).toContainText(
    'gpt-4.1-mini',
  )
  await expect(field(page, '模型名称')).toBeHidden()
  await page.getByRole('button', { name: '筛选', exact: true }).click()
  await field(page, '模型名称').fill('gpt')
  await page.getByRole('button', { name: '查询', exact: true }).click()
  await expect(page.getByRole('button', { name: '筛选（1）', exact: true })).toBeVisible()
})

test('an empty page says why and what to do next, in English [R0.02]', async ({ page, signIn }) => {
  await inEnglish(page)
  await signIn()
  await showLogs(page, [])
  await page.goto('/log')
  await expect(page.getByText('No entries yet')).toBeVisible()
  await page.goto('/log?type=2')
  await expect(page.getByText('No entries match')).toBeVisible()
  await expect(toasts(page)).toBeEmpty()
})

test('the filtered log is exported as a file, in the language of the console', async ({
  page,
  root,
  account,
  api,
  signIn,
}) => {
  const { data: keys } = await root.call('POST', '/api/redemption/', { name: unique('l'), quota: 500_000 })
  await api.call('POST', '/api/user/topup', { key: keys[0] })
  await signIn()
  await page.goto('/log?type=1')
  await expect(row(page, '通过兑换码充值')).toBeVisible()
  const taken = async (item: string) => {
    await page.getByRole('button', { name: '导出', exact: true }).click()
    const downloaded = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: item, exact: true }).click()
    const file = await downloaded
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
  }
  const csv = await taken('CSV（表格）')
  expect(csv.name).toMatch(/^tollgate-logs-\d{4}-\d\d-\d\d\.csv$/)
  const [head, entry, end, ...rest] = csv.text.split('\r\n')
  expect(head).toMatch(/^\ufeffid,time,created_at,type,/)
  expect(entry).toMatch(new RegExp(`,1,\\d+,${account.username},`))
  expect(entry).toContain('通过兑换码充值')
  expect([end, ...rest]).toEqual([''])
  const jsonl = await taken('JSONL（每行一条）')
  expect(jsonl.name).toMatch(/\.jsonl$/)
  expect(JSON.parse(jsonl.text)).toMatchObject({ type: 1, username: account.username, quota: 500_000 })
})

test('a log that is too long to be counted is shown as such', async ({ page, signIn }) => {
  await signIn()
  await page.route(/\/api\/log\/(self)?\?/, (route) =>
    route.fulfill({
      headers: { 'X-Total-Count': '10000', 'X-Total-More': 'true' },
      json: { success: true, message: '', data: Array.from({ length: 10 }, (_, n) => ({ ...CALL, id: n + 1 })) },
    }),
  )
  await page.goto('/log')
  await expect(page.getByText('共 10000 条以上日志')).toBeVisible()
  await expect(page.getByText('第 1–10 条，共 10000 条以上')).toBeVisible()
  // Pages beyond the count can still be opened.
  await page.goto('/log?page=1000')
  await page.getByRole('button', { name: '下一页', exact: true }).click()
  await expect(page).toHaveURL(/page=1001/)
  await expect(page.getByText('第 10001–10010 条，共 10000 条以上')).toBeVisible()
})

test('an entry is found by its request ID: in the palette, by its address, in the filter', async ({
  page,
  root,
  api,
  signIn,
}) => {
  const { data: keys } = await root.call('POST', '/api/redemption/', { name: unique('l') })
  await api.call('POST', '/api/user/topup', { key: keys[0] })
  const [{ request_id: id }] = (await api.call('GET', '/api/log/self?p=0')).data
  const panel = page.getByRole('dialog').filter({ hasText: id })
  await signIn()
  await page.goto('/about')
  await expect(page.getByRole('button', { name: '搜索', exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('搜索页面或令牌', { exact: true }).fill(` ${id.toUpperCase()} `)
  await expect(page.getByText(id, { exact: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/log\?/)
  await expect(panel).toBeVisible()

  await page.goto(`/log/${id}`)
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(row(page, '通过兑换码充值')).toHaveCount(1)
  await expect(field(page, '请求 ID')).toHaveValue(id)
  await field(page, '请求 ID').fill('0199b4c2-7a10-7abc-8def-0123456789ab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: '清空筛选', exact: true })).toBeVisible()
})

test('a live log that loses its connection reports it, reconnects, and adds missed entries once', async ({
  page,
  root,
  account,
  api,
  signIn,
}) => {
  await fund(root, account)
  const { key } = await api.makeToken()
  const ask = (model: string) =>
    page.request.post('/v1/chat/completions', {
      headers: { authorization: `Bearer sk-${key}` },
      data: { model, messages: [] },
    })
  await signIn()
  const listed = page.waitForResponse((response) => isList(response.request()))
  await page.goto('/log')
  await (await listed).finished()
  const { data } = await api.call('GET', '/api/log/self?p=0')
  const at = String(data[0]?.id ?? 0)
  const event = { rows: [], skipped: 0, at, reload: false }
  const positions: (string | undefined)[] = []
  let letThrough = () => {}
  const asked = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route('**/api/log/self/tail?**', async (route) => {
    positions.push(queryOf(route.request()).after)
    if (positions.length > 1) {
      await asked
      return route.continue()
    }
    return route.fulfill({ contentType: 'text/event-stream', body: `id: ${at}\ndata: ${JSON.stringify(event)}\n\n` })
  })
  await page.getByRole('switch', { name: '实时刷新', exact: true }).click({ force: true })
  await expect(page.getByText('连接中断，正在重新连接', { exact: true })).toBeVisible()
  await ask('came-meanwhile')
  letThrough()
  await expect.poll(() => positions.slice(0, 2)).toEqual([undefined, at])
  await expect(page.getByText('连接中断，正在重新连接', { exact: true })).toHaveCount(0)
  await expect(row(page, 'came-meanwhile')).toHaveCount(1)
})

test('a refused call is found by its outcome; columns, page size and the selected entry are kept', async ({
  page,
  root,
  account,
  api,
  signIn,
}) => {
  await fund(root, account)
  const { key, name } = await api.makeToken()
  const ask = (model: string) =>
    page.request.post('/v1/chat/completions', {
      headers: { authorization: `Bearer sk-${key}` },
      data: { model, messages: [] },
    })
  const first = await ask('no-such-model')
  const second = await ask('no-such-model')
  await ask('another-model')
  await signIn()
  await page.goto('/log')
  await expect(row(page, 'another-model')).toContainText('失败')

  // Less common filters are collapsed until one of them is set.
  await expect(field(page, '结果')).toHaveCount(0)
  await page.getByRole('button', { name: '更多筛选', exact: true }).click()
  await field(page, '最低额度（美元）').fill('-1')
  await field(page, '结果').selectOption('请求有误')
  await expect(page.getByText('应为不小于 0 的数字')).toBeVisible()
  await field(page, '最低额度（美元）').fill('')
  await field(page, '结果').selectOption('超时')
  await expect(page.getByText('没有符合条件的日志')).toBeVisible()
  await field(page, '结果').selectOption('请求有误')
  await expect(page).toHaveURL(/outcome=client_error/)
  await expect(page.getByRole('row')).toHaveCount(3)
  await field(page, '返回方式').selectOption('流式')
  await expect(page).toHaveURL(/stream=true/)
  await expect(page.getByText('没有符合条件的日志')).toBeVisible()
  await page.reload()
  await field(page, '返回方式').selectOption('不限')
  await expect(page.getByRole('row')).toHaveCount(3)

  await page.getByRole('button', { name: '列', exact: true }).click()
  await page.getByRole('checkbox', { name: '结果', exact: true }).check()
  await page.getByRole('checkbox', { name: '完整显示详情', exact: true }).check()
  await page.getByRole('checkbox', { name: '补全', exact: true }).uncheck()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.getByRole('columnheader', { name: '结果', exact: true })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '补全', exact: true })).toHaveCount(0)
  await expect(row(page, 'another-model')).toContainText(
    '模型 another-model 不存在，或不对您开放；可用的模型见 GET /v1/models',
  )

  // Down twice, then open; in the panel, a key moves to the next entry.
  await page.locator('body').press('j')
  await expect(page.locator('tr[aria-current]')).toContainText('another-model')
  await page.keyboard.press('j')
  await expect(page.locator('tr[aria-current]')).toContainText('no-such-model')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: '日志详情', exact: true })
  for (const fact of ['请求有误', 'HTTP 404', '2 次', name]) await expect(panel).toContainText(fact)
  await expect(panel.getByText('模型 no-such-model 不存在')).toHaveCount(1)
  await page.keyboard.press('k')
  await expect(panel).toContainText('another-model')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await field(page, '模型名称').press('j')
  await expect(field(page, '模型名称')).toHaveValue('j')

  // New entries that match appear automatically in live mode, and only then.
  await page.goto('/log?outcome=client_error')
  await expect(page.getByRole('row')).toHaveCount(3)
  const listening = page.waitForResponse(/\/api\/log\/self\/tail\?/)
  await page.getByRole('switch', { name: '实时刷新', exact: true }).click({ force: true })
  expect((await listening).headers()['content-type']).toContain('text/event-stream')
  await ask('brand-new-model')
  await expect(page.getByRole('row').nth(1)).toContainText('brand-new-model')
  await expect(page.getByRole('row')).toHaveCount(4)
  await expect(page.getByText('共 3 条日志')).toBeVisible()
  await page.getByRole('switch', { name: '实时刷新', exact: true }).click({ force: true })

  // The request ID of either call that shares an entry finds it.
  for (const answer of [first, second]) {
    await page.goto(`/log/${answer.headers()['x-request-id']}`)
    await expect(panel).toContainText('no-such-model')
  }

  await showLogs(
    page,
    Array.from({ length: 20 }, (_, n) => ({ ...CALL, id: n + 1 })),
    60,
  )
  await page.goto('/log?page=2')
  await page.getByLabel('每页条数', { exact: true }).selectOption('20')
  await expect(page.getByText('第 1–20 条，共 60 条', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/log$/)
  await page.reload()
  await expect(page.getByLabel('每页条数', { exact: true })).toHaveValue('20')
})
