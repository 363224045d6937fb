import type { Request } from '@playwright/test'
import { fund, unique } from './support/api.ts'
import { expectAccessible } from './support/axe.ts'
import { CALL, isList, openedLogs, queryOf, showLogs } from './support/calls.ts'
import { field, row } from './support/find.ts'
import { expect, test } from './support/test.ts'

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

test('applying the same filter again reloads', async ({ page, signIn }) => {
  await signIn()
  const lists = await openedLogs(page)
  await page.getByRole('button', { name: '查询', exact: true }).click()
  await expect.poll(() => lists.length).toBe(1)
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

test('filters suggest the names that there are, and a channel is found by its name', async ({
  page,
  root,
  signInAs,
}) => {
  const name = unique('Suggested ')
  await root.makeChannel({ name, models: 'suggested-model,gpt-4o' })
  const { id } = (await root.call('GET', `/api/channel/search?keyword=${encodeURIComponent(name)}`)).data[0]
  const { username } = await root.makeUser()
  await signInAs(root)
  const suggestion = (label: string) => page.getByRole('option', { name: label, exact: true })

  await page.goto('/log')
  await field(page, '渠道 ID').fill(name.toLowerCase())
  await suggestion(`${name} #${id}`).click()
  await expect(page).toHaveURL(`/log?channel=${id}`)
  await expect(field(page, '渠道 ID')).toHaveValue(String(id))
  await field(page, '模型名称').fill('suggested-m')
  await suggestion('suggested-model').click()
  await expect(page).toHaveURL(`/log?model_name=suggested-model&channel=${id}`)

  await page.goto('/analytics')
  await page.getByRole('button', { name: '筛选', exact: true }).click()
  await field(page, '用户').fill(username)
  await expect(suggestion(username)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field(page, '用户')).toHaveValue(username)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/analytics?user=${username}`)

  await page.goto('/token/all')
  await field(page, '所有者的用户名或 ID').fill(username)
  await suggestion(username).click()
  await expect(page).toHaveURL(`/token/all?owner=${username}`)
  await expect(row(page, 'default')).toHaveCount(1)
})
