import { CALL, isList, queryOf, showLogs } from './support/calls.ts'
import { field, row } from './support/find.ts'
import { expect, test } from './support/test.ts'

test('a row shows the facts of a call [R3.19 R9.06]', async ({ page, root, signInAs }) => {
  await signInAs(root)
  await showLogs(page, [CALL])
  await page.goto('/log')
  const cells = row(page, 'gpt-4.1-mini')
  for (const fact of ['#3', 'alice', 'prod-web', '消费', '2,000', '321', '$0.0019', '倍率']) {
    await expect(cells).toContainText(fact)
  }
  await expect(cells.getByTitle('$0.001926 (963)', { exact: true })).toBeVisible()
  await expect(cells.getByRole('time')).toHaveText('2027-01-15 16:00:00')
  await expect(cells.getByText('main', { exact: true })).toBeHidden()
  await page.setViewportSize({ width: 1440, height: 800 })
  await expect(cells.getByText('main', { exact: true })).toBeVisible()
})

test('a free call costs $0.00; failed ones cost nothing, and leave their room to the errors', async ({
  page,
  root,
  signInAs,
}) => {
  await signInAs(root)
  const failed = { ...CALL, id: 8, type: 6, model_name: 'o3', quota: 0, content: 'No channel could answer' }
  await showLogs(page, [{ ...CALL, quota: 0 }, failed])
  await page.goto('/log')
  await expect(row(page, 'gpt-4.1-mini').getByRole('cell', { name: '$0.00', exact: true })).toBeVisible()
  await expect(row(page, 'o3')).not.toContainText('$')
  const headings = page.getByRole('columnheader')
  await expect(headings.filter({ hasText: /^(提示|补全|额度)$/ })).toHaveCount(3)
  await showLogs(page, [failed])
  await page.goto('/log?type=6')
  await expect(row(page, 'o3')).toContainText('No channel could answer')
  await expect(headings.filter({ hasText: /^(提示|补全|额度)$/ })).toHaveCount(0)
})

test('a row opens everything that is known about the call', async ({ page, root, signInAs }) => {
  await signInAs(root)
  await showLogs(page, [CALL])
  await page.goto('/log')
  await row(page, 'gpt-4.1-mini').click()
  const panel = page.getByRole('dialog', { name: '日志详情', exact: true })
  for (const fact of ['req-0192f3c4', 'main #3', '$0.001926 (963)', '流式', '740 ms', '2.46 s'])
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

test('of many candidates those that were tried and the first are shown, the others on demand', async ({
  page,
  root,
  signInAs,
}) => {
  await signInAs(root)
  const considered = Array.from({ length: 24 }, (_, index) => ({
    ...{ channel: 20 + index, name: `line ${index}`, group: 'vip', priority: 0, weight: 1 },
  }))
  const attempts = [{ channel: 31, name: 'line 11', status: 200, ms: 20 }]
  await showLogs(page, [{ ...CALL, detail: { ...CALL.detail, attempts, candidates: { considered, excluded: [] } } }])
  await page.goto('/log')
  await row(page, 'gpt-4.1-mini').click()
  const candidates = page.getByRole('region', { name: '渠道选择', exact: true })
  await expect(candidates.getByRole('listitem')).toHaveCount(12)
  await expect(candidates.getByRole('listitem').last()).toContainText('首先选中，并作出了回答')
  await candidates.getByRole('button', { name: '显示全部 24 项', exact: true }).click()
  await expect(candidates.getByRole('listitem')).toHaveCount(24)
})

test('a table that is wider than its place says so at the buttons of its rows', async ({ page, root, signInAs }) => {
  await signInAs(root)
  await showLogs(page, [CALL])
  await page.goto('/log')
  const table = page.getByRole('table', { name: '使用日志', exact: true })
  const box = table.locator('..')
  await expect(box).not.toHaveAttribute('data-scrolls-on')
  await page.getByRole('button', { name: '列', exact: true }).click()
  for (const name of ['结果', '总耗时', '首字节', '重试次数', '请求 ID', '返回方式', '完整显示详情'])
    await page.getByRole('checkbox', { name, exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(box).toHaveAttribute('data-scrolls-on')
  const button = table.getByRole('button', { name: /日志详情/ })
  await expect(button).toBeInViewport({ ratio: 1 })
  await box.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
  await expect(box).not.toHaveAttribute('data-scrolls-on')
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
