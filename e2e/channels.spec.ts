import { unique } from './support/api.ts'
import { idOf, listOf, withChannel } from './support/channels.ts'
import { expectStored, field, row } from './support/find.ts'
import { answer } from './support/status.ts'
import { expect, inEnglish, test, toasted } from './support/test.ts'
import { typeInOneGo } from './support/typing.ts'

test.beforeEach(async ({ signInAs, admin }) => signInAs(admin))

test('the list shows the facts of a channel [R2.11 R4.07 R7.38 R9.11]', async ({ page, root }) => {
  const name = unique('shown-')
  await root.makeChannel({ name, type: 14, group: 'default,vip,svip', models: 'claude-sonnet-4' })
  await page.goto('/channel')
  await expect(row(page, name)).toContainText('Anthropic Claude')
  await expect(row(page, name)).toContainText('已启用')
  await expect(row(page, name)).toContainText('未测试')
  await expect(row(page, name)).toContainText('不支持')
  await expect(row(page, name).getByText('svip', { exact: true })).toHaveAttribute('data-color', 'red')
  await expect(row(page, name).getByText('vip', { exact: true })).toHaveAttribute('data-color', 'yellow')
  await expect(row(page, name).getByText('default', { exact: true })).not.toHaveAttribute('data-color')
})

test('every type has its name and its colour [R3.13]', async ({ page, root }) => {
  const name = unique('coloured-')
  await root.makeChannel({ name, type: 24 })
  await page.goto(listOf(name))
  await expect(row(page, name).getByText('Google Gemini')).toHaveAttribute('data-color', 'orange')
  await withChannel(page, { type: 999, status: 9 })
  await page.reload()
  await expect(row(page, name)).toContainText('未知类型')
  await expect(row(page, name)).toContainText('未知状态')
})

test('the summary shows how many are enabled', async ({ page, root }) => {
  const word = unique('counted-')
  await root.makeChannel({ name: `${word}-a` })
  await root.makeChannel({ name: `${word}-b` })
  await root.call('PUT', '/api/channel/', { id: await idOf(root, `${word}-b`), status: 2 })
  await page.goto(listOf(word))
  await expect(page.getByText('共 2 个渠道，已启用 1 个')).toBeVisible()
})

test('a search waits for a pause, is kept in the URL, and pages have totals [R2.80 R7.39]', async ({ page, root }) => {
  const word = unique('many-')
  await root.makeChannel({ name: word, key: Array.from({ length: 12 }, (_, n) => `sk-${n}`).join('\n') })
  await page.clock.install()
  await page.goto('/channel')
  await expect(row(page, word).first()).toBeVisible()
  const searches: string[] = []
  page.on('request', (request) => request.url().includes('keyword=') && searches.push(request.url()))
  await typeInOneGo(page, page.getByRole('searchbox'), word)
  await expect(page.getByText('第 1–10 条，共 12 条')).toBeVisible()
  // This page, and the prefetched next one.
  await expect.poll(() => searches.length).toBe(2)
  await page.getByRole('button', { name: '第 2 页', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`keyword=${word}.*page=2|page=2.*keyword=${word}`))
  await expect(page.getByText('第 11–12 条，共 12 条')).toBeVisible()
  await page.reload()
  await expect(page.getByText('第 11–12 条，共 12 条')).toBeVisible()
})

test('opening the list makes at most three calls', async ({ page, root }) => {
  await root.makeChannel()
  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/api/') && calls.push(request.url()))
  await page.goto('/channel')
  await expect(page.getByRole('table')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(3)
})

test('a channel with unpriced models has a mark that says so', async ({ page, root }) => {
  const name = unique('signed-')
  await root.makeChannel({ name, models: 'gpt-4o,house-model' })
  await page.goto(listOf(name))
  const sign = row(page, name).getByRole('button', { name: '1 个模型没有价格。', exact: true })
  await sign.hover()
  await expect(page.getByRole('tooltip')).toContainText('按「未知模型的倍率」计费。 house-model')
})

test('the hint is shown until it is dismissed once [R3.28 R3.29]', async ({ page }) => {
  await page.goto('/channel')
  const hint = page.getByText('测试只支持对话模型')
  await expect(hint).toBeVisible()
  await page.getByRole('button', { name: '知道了，不再提示', exact: true }).click()
  await expect(hint).toHaveCount(0)
  await expectStored(page, 'prompt-channel-test').toBe('true')
  await page.reload()
  await expect(page.getByRole('button', { name: '批量操作', exact: true })).toBeVisible()
  await expect(hint).toHaveCount(0)
})

test('an empty list says what to do, a failed one offers a retry', async ({ page }) => {
  await answer(page, '**/api/channel/?p=0', { success: true, message: '', data: [] })
  await page.goto('/channel')
  await expect(page.getByText('还没有渠道')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: '创建渠道', exact: true }).last()).toBeVisible()
  await page.unroute('**/api/channel/?p=0')
  await answer(page, '**/api/channel/?p=0', { success: false, message: '' }, 500)
  await page.reload()
  await toasted(page, '错误：服务器内部错误，请联系管理员')
  await page.unroute('**/api/channel/?p=0')
  await page.getByRole('button', { name: '重试', exact: true }).click()
  await expect(page.getByText('加载失败')).toHaveCount(0)
})

test('while a slow server responds, a skeleton is shown instead of an empty page', async ({ page, root }) => {
  const name = unique('slow-')
  await root.makeChannel({ name })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/api/channel/search**', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(listOf(name))
  await expect(page.locator('[aria-busy="true"]')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '名称', exact: true })).toBeVisible()
  letGo()
  await expect(row(page, name)).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
})

test('a row can be operated with the keyboard alone', async ({ page, root }) => {
  const name = unique('typed-')
  // Another channel has the model too, so that disabling this one needs no confirmation.
  const models = unique('gpt-')
  await root.makeChannel({ models })
  await root.makeChannel({ name, models })
  await page.goto(listOf(name))
  const toggle = page.getByRole('switch', { name: `启用渠道 ${name}`, exact: true })
  await toggle.focus()
  await page.keyboard.press('Space')
  await expect(row(page, name)).toContainText('已手动禁用')
  const priority = field(page, `渠道 ${name} 的优先级`)
  await priority.focus()
  await page.keyboard.type('5')
  await page.keyboard.press('Tab')
  await expect(field(page, `渠道 ${name} 的权重`)).toBeFocused()
  await expect(priority).toHaveValue('5')
  await page.getByRole('button', { name: `渠道 ${name} 的更多操作`, exact: true }).focus()
  await page.keyboard.press('Enter')
  const entries = ['日志中的调用', '用量分析', '密钥', '模型列表', '复制渠道', '预算', '删除渠道']
  for (const entry of entries) {
    await expect(page.getByRole('menuitem', { name: entry, exact: true })).toBeFocused()
    if (entry !== entries.at(-1)) await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: `删除渠道 ${name}？`, exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, name)).toBeVisible()
})

test('on a phone each channel is a card with the same facts [R2.37]', async ({ page, root }) => {
  const name = unique('carded-')
  await root.makeChannel({ name, priority: 4 })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(listOf(name))
  const card = page.getByRole('listitem').filter({ hasText: name })
  await expect(card).toContainText('OpenAI')
  await expect(field(card, `渠道 ${name} 的优先级`)).toHaveValue('4')
  await expect(page.getByRole('table')).toHaveCount(0)
})

test('an administrator sees everything in English', async ({ page, root }) => {
  const name = unique('english-')
  await root.makeChannel({ name })
  await inEnglish(page)
  await page.goto(listOf(name))
  await expect(page.getByText('1 of 1 enabled')).toBeVisible()
  await expect(row(page, name)).toContainText('Not tested')
  await expect(page.getByRole('columnheader', { name: 'Weight', exact: true })).toBeVisible()
})
