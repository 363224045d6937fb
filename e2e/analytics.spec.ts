import { readFileSync } from 'node:fs'
import { fund, unique } from './support/api.ts'
import { today } from './support/calls.ts'
import { arrived, field } from './support/find.ts'
import { expect, inEnglish, test } from './support/test.ts'
import { startUpstream } from './support/upstream.ts'
import { showUsage } from './support/usage.ts'

test('calls are counted at once, and every number links to its calls', async ({
  page,
  api,
  root,
  account,
  signIn,
  signInAs,
}) => {
  const upstream = await startUpstream()
  const model = unique('counted-')
  const dead = unique('dead-')
  await root.makeChannel({ base_url: upstream.url, models: model })
  await root.makeChannel({ base_url: 'http://127.0.0.1:1', models: dead })
  await fund(root, account)
  const { name, key } = await api.makeToken({ unlimited_quota: true })
  for (const asked of [model, model, dead]) {
    const messages = [{ role: 'user', content: 'hi' }]
    const headers = { Authorization: `Bearer sk-${key}` }
    await page.request.post('/v1/chat/completions', { headers, data: { model: asked, messages } })
  }
  await upstream.stop()

  // As a user, on the overview and in Analytics.
  await signIn()
  await page.goto('/')
  const calls = page.getByRole('main').locator('dt').getByText('调用次数', { exact: true }).locator('..')
  await expect(calls).toContainText('3')
  await expect(page.getByText('1 / 3 次失败')).toBeVisible()
  await calls.getByRole('link').click()
  await arrived(page, '日志')
  await expect(page.getByRole('row').filter({ hasText: model })).toHaveCount(2)
  await page.goto('/analytics?by=key')
  await expect(page.getByRole('combobox', { name: '统计维度', exact: true }).locator('option')).toHaveText([
    ...['时间', '模型', '令牌', '结果'],
  ])
  const numbers = page.getByRole('region', { name: '明细', exact: true })
  await expect(numbers.getByRole('row').last()).toHaveText(new RegExp(`^${name}`))
  // Times are not known by key: there is no column of dashes.
  await expect(numbers.getByRole('columnheader').last()).toHaveText('缓存命中率')
  await numbers.getByRole('link', { name, exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`key=${name}`))
  await expect(page.getByRole('button', { name: `移除筛选：令牌：${name}`, exact: true })).toBeVisible()
  await numbers.getByRole('link', { name: today(), exact: true }).first().click()
  await expect(page).toHaveURL(new RegExp(`from=${today()}&to=${today()}`))
  await page.getByRole('button', { name: '上月', exact: true }).click()
  await expect(page.getByText('没有调用同时符合这些筛选条件')).toBeVisible()
  await page.getByRole('link', { name: '清除筛选', exact: true }).click()
  await expect(page).toHaveURL('/analytics?range=last_month&by=time')

  // As an administrator, filtered by that user.
  await signInAs(root)
  await page.goto(`/analytics?by=user&metric=calls&user=${account.username}`)
  await expect(numbers.getByRole('row').last()).toHaveText(new RegExp(`^${account.username}3`))
  await page.locator('dl').getByRole('link', { name: '3', exact: true }).click()
  await arrived(page, '日志')
  await expect(page.getByRole('row').filter({ hasText: account.username })).toHaveCount(3)
  await page.goBack()
  await numbers.getByRole('link', { name: '33.3%', exact: true }).click()
  await arrived(page, '日志')
  await expect(page).toHaveURL(new RegExp(`username=${account.username}&outcome=failed&start=\\d+&end=\\d+`))
  await expect(page.getByRole('row').filter({ hasText: dead })).toHaveCount(1)
})

test('a query is part of the URL, and its result can be downloaded', async ({ page, root, signInAs }) => {
  const name = unique('line-')
  await root.makeChannel({ name })
  const { id } = (await root.call('GET', `/api/channel/search?keyword=${name}`)).data[0]
  await signInAs(root)
  await showUsage(page)
  await page.goto('/analytics')
  await page.getByRole('combobox', { name: '指标', exact: true }).selectOption('calls')
  await page.getByRole('combobox', { name: '拆分', exact: true }).selectOption('channel')
  await page.getByRole('combobox', { name: '时间粒度', exact: true }).selectOption('hour')
  await page.getByRole('switch', { name: '与上一周期比较', exact: true }).click()
  await page.getByRole('button', { name: '筛选', exact: true }).click()
  await field(page, '模型').fill('gpt-4.1-mini')
  await field(page, '渠道 ID').fill('x')
  await page.getByRole('button', { name: '应用筛选', exact: true }).click()
  await expect(page.getByText('请从列表中选择渠道')).toBeVisible()
  await field(page, '渠道 ID').fill(String(id))
  await page.getByRole('button', { name: '应用筛选', exact: true }).click()
  await expect(page).toHaveURL(
    `/analytics?metric=calls&split=channel&step=hour&compare=yes&model=gpt-4.1-mini&channel=${id}`,
  )
  await expect(page.getByText(`渠道：${name}（#${id}）`, { exact: true })).toBeVisible()
  const chart = page.getByRole('table', { name: '调用次数，按渠道', exact: true })
  await expect(chart.getByRole('columnheader')).toHaveText(['时间', 'openai-main', 'anthropic', 'azure-eu'])
  const numbers = page.getByRole('region', { name: '明细', exact: true })
  // On a phone, too, the two periods stand together.
  const compared = /^时间渠道调用次数上一周期变化/
  await expect(numbers.getByRole('row').first()).toHaveText(compared)
  await page.reload()
  await expect(numbers.getByRole('row').first()).toHaveText(compared)

  const save = async (what: string) => {
    await page.getByRole('button', { name: '下载', exact: true }).click()
    const started = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: what, exact: true }).click()
    return started
  }
  const csv = await save('表格（CSV）')
  expect(csv.suggestedFilename()).toMatch(/^analytics-[\d-]+\.csv$/)
  const [head = '', first = ''] = readFileSync(await csv.path(), 'utf8').split('\r\n')
  expect(head).toContain('\ufeff时间,渠道,消费 ($),调用次数,失败次数')
  expect(first).toMatch(/^[\d-]+ 00:00,openai-main,/)
  await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible()
  const png = await save('图表（PNG）')
  const picture = readFileSync(await png.path())
  expect(picture.toString('latin1', 1, 4)).toBe('PNG')
  // At twice the screen's resolution.
  expect(picture.readUInt32BE(16)).toBeGreaterThan(1500)

  // A file names those that the screen combines.
  await showUsage(page, { others: true })
  await page.goto('/analytics?by=user&compare=yes')
  await expect(numbers.getByRole('row').last()).toHaveText(/^其他/)
  const file = readFileSync(await (await save('表格（CSV）')).path(), 'utf8')
  expect(file).toMatch(/\r\n研发部公共账户,/)
  expect(file).not.toContain('其他')

  await inEnglish(page)
  await page.goto('/analytics?by=outcome')
  await expect(page.getByRole('heading', { name: 'Spend by outcome', exact: true })).toBeVisible()
})

test('on a phone the labels of an axis are evenly spaced, from the first on', async ({ page, root, signInAs }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInAs(root)
  for (const calls of [1, 1234, 9_000_000]) {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await showUsage(page, { calls: () => calls })
    for (const view of ['by=model&split=none', 'by=user&metric=tokens', 'by=time&range=7d', 'by=time&range=30d']) {
      await page.goto(`/analytics?${view}`)
      const labels = page.locator('.recharts-xAxis-tick-labels .recharts-cartesian-axis-tick-value')
      await expect(labels.first()).toBeVisible()
      const boxes = await labels.evaluateAll((all) => all.map((label) => label.getBoundingClientRect()))
      const middles = boxes.map(({ left, right }) => (left + right) / 2)
      const gaps = middles.slice(1).map((middle, index) => middle - (middles[index] ?? 0))
      expect(gaps.length, view).toBeGreaterThan(0)
      expect(Math.max(...gaps) - Math.min(...gaps), `${view} ${calls}`).toBeLessThan(2)
      if (!view.startsWith('by=time')) {
        const lines = page.locator('.recharts-cartesian-grid-vertical line')
        const places = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().left))
        const unmarked = middles.filter((middle) => !places.some((place) => Math.abs(place - middle) < 3))
        expect(unmarked, `${view} ${calls}: ${places}`).toEqual([])
      }
      for (const [index, { right }] of boxes.entries()) {
        expect(right, view).toBeLessThanOrEqual(390)
        expect(boxes[index + 1]?.left ?? 999, view).toBeGreaterThan(right)
      }
    }
  }
})

test('an address that cannot be shown as it is written says so on the page', async ({ page, root, signInAs }) => {
  await signInAs(root)
  const notes: [address: string, note: string][] = [
    ['/analytics?from=2026-02-01&to=2026-01-01', '地址中的结束日期早于开始日期，因此显示近 7 天。'],
    ['/analytics?range=fortnight&by=magic', '地址中的时间范围无法识别，因此显示近 7 天。'],
    ['/analytics?by=magic&channel=x', '地址中的这些条件无效，已忽略：by=magic'],
    ['/analytics?channel=x', '地址中的这些条件无效，已忽略：channel=x'],
    ['/?from=2026-02-01&to=soon', '地址中的时间范围无法识别，因此显示近 7 天。'],
    ['/?metric=luck', '地址中的这些条件无效，已忽略：metric=luck'],
    ['/log?outcome=odd&start=soon', '地址中的这些条件无效，已忽略：outcome=odd, start=soon'],
    ['/channel?status=on', '地址中的这些条件无效，已忽略：status=on'],
    ['/budget?scope=world', '地址中的这些条件无效，已忽略：scope=world'],
    ['/alert?tab=none', '地址中的这些条件无效，已忽略：tab=none'],
    ['/user?order=name', '地址中的这些条件无效，已忽略：order=name'],
    ['/token?page=last', '地址中的这些条件无效，已忽略：page=last'],
  ]
  for (const [address, note] of notes) {
    await page.goto(address)
    await expect(page.getByRole('status').filter({ hasText: note })).toBeVisible()
  }
  // It is gone with the next step, and never there where all is well.
  await page.goto('/log?outcome=odd')
  const note = page.getByRole('status').filter({ hasText: '地址中' })
  await expect(note).toBeVisible()
  await page.getByRole('button', { name: '今天', exact: true }).click()
  await expect(note).toHaveCount(0)
  await page.goto('/log?outcome=failed&channel=0')
  await arrived(page, '日志')
  await expect(note).toHaveCount(0)
})
