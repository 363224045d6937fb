import { readFileSync } from 'node:fs'
import { fund, unique } from './support/api.ts'
import { CALL, isList, queryOf, showLogs } from './support/calls.ts'
import { field, row } from './support/find.ts'
import { expect, inEnglish, test, toasts } from './support/test.ts'

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
  await expect(page.getByText('共 10,000 条以上日志')).toBeVisible()
  await expect(page.getByText('第 1–10 条，共 10,000 条以上')).toBeVisible()
  // Pages beyond the count can still be opened.
  await page.goto('/log?page=1000')
  await page.getByRole('button', { name: '下一页', exact: true }).click()
  await expect(page).toHaveURL(/page=1001/)
  await expect(page.getByText('第 10,001–10,010 条，共 10,000 条以上')).toBeVisible()
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
