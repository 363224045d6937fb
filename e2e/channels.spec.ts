import type { Page } from '@playwright/test'
import { type Api, unique } from './support/api.ts'
import { answered, expectStored, field } from './support/find.ts'
import { answer } from './support/status.ts'
import { expect, inEnglish, test, toasted, toasts } from './support/test.ts'
import { typeInOneGo } from './support/typing.ts'
import { startUpstream } from './support/upstream.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** Channels belong to the whole site, so each test uses its own names and looks only at those. */
const listOf = (word: string) => `/channel?keyword=${word}`

const idOf = async (root: Api, name: string): Promise<number> =>
  (await root.call('GET', `/api/channel/search?keyword=${name}`)).data[0].id

/** The list as the server would send it, with values that only a vendor could provide. */
async function withChannel(page: Page, change: Record<string, unknown>) {
  await page.route('**/api/channel/search**', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const data = json.data.map((channel: object) => ({ ...channel, ...change }))
    await route.fulfill({ response, json: { ...json, data } })
  })
}

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

test('the switch sets 1 or 2 and moves back when the server refuses [R4.08 R7.42]', async ({ page, root }) => {
  const name = unique('switched-')
  // Another channel has the model too; otherwise the switch would ask for confirmation.
  const models = unique('gpt-')
  await root.makeChannel({ models })
  await root.makeChannel({ name, models })
  const id = await idOf(root, name)
  await page.goto(listOf(name))
  const toggle = page.getByRole('switch', { name: `启用渠道 ${name}`, exact: true })
  const press = () => answered(page, /\/api\/channel\/$/, () => toggle.click({ force: true }))
  expect((await press()).postDataJSON()).toEqual({ id, status: 2 })
  await expect(row(page, name)).toContainText('已手动禁用')
  await page.getByRole('button', { name: '已手动禁用', exact: true }).hover()
  await expect(page.getByRole('tooltip')).toHaveText('本渠道被手动禁用')
  expect((await press()).postDataJSON()).toEqual({ id, status: 1 })
  await expect(row(page, name)).toContainText('已启用')
  await answer(page, '**/api/channel/', { success: false, message: '不行' })
  await toggle.click({ force: true })
  await toasted(page, '不行')
  await expect(toggle).toBeChecked()
})

test('disabling the last enabled channel of a model asks for confirmation', async ({ page, root }) => {
  const name = unique('last-')
  const models = unique('gpt-')
  await root.makeChannel({ name, models })
  await page.goto(listOf(name))
  const toggle = page.getByRole('switch', { name: `启用渠道 ${name}`, exact: true })
  await toggle.click({ force: true })
  const dialog = page.getByRole('dialog', { name: `禁用渠道 ${name}？`, exact: true })
  await expect(dialog).toContainText(`${models}（default）`)
  await dialog.getByRole('button', { name: '取消', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(toggle).toBeChecked()
  await toggle.click({ force: true })
  await answered(page, /\/api\/channel\/$/, () => dialog.getByRole('button', { name: '禁用渠道', exact: true }).click())
  await expect(row(page, name)).toContainText('已手动禁用')
})

test('an automatically disabled channel shows why, and can be enabled [R4.07 R4.08]', async ({ page, root }) => {
  const name = unique('broken-')
  await root.makeChannel({ name })
  await withChannel(page, { status: 3, status_reason: '401 invalid key' })
  await page.goto(listOf(name))
  await page.getByRole('button', { name: '已自动禁用', exact: true }).focus()
  await expect(page.getByRole('tooltip')).toHaveText('本渠道被程序自动禁用：401 invalid key')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('switch', { name: `启用渠道 ${name}`, exact: true }).click({ force: true })
  expect((await sent).postDataJSON()).toMatchObject({ status: 1 })
})

test('priority and weight are edited in the list [R2.81 R5.34 R7.42]', async ({ page, root }) => {
  const name = unique('weighed-')
  await root.makeChannel({ name, priority: 1, weight: 1 })
  const id = await idOf(root, name)
  await page.goto(listOf(name))
  const priority = field(page, `渠道 ${name} 的优先级`)
  const weight = field(page, `渠道 ${name} 的权重`)
  const sent: unknown[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON()))

  await priority.fill('12.7')
  await priority.press('Enter')
  await expect.poll(() => sent).toEqual([{ id, priority: 12 }])
  await expect(priority).toHaveValue('12')
  await weight.fill('-5')
  await weight.blur()
  await expect
    .poll(() => sent)
    .toEqual([
      { id, priority: 12 },
      { id, weight: 0 },
    ])
  await expect(weight).toHaveValue('0')

  await priority.fill('')
  await priority.blur()
  await weight.fill('9')
  await weight.press('Escape')
  await weight.blur()
  await expect(priority).toHaveValue('12')
  await expect(weight).toHaveValue('0')
  expect(sent).toHaveLength(2)
  await page.reload()
  await expect(priority).toHaveValue('12')
})

test('the response time has a colour, and shows its last test on hover [R4.14 R9.06]', async ({ page, root }) => {
  const name = unique('timed-')
  await root.makeChannel({ name })
  for (const [response_time, color, text] of [
    [1000, 'green', '1.00 秒'],
    [2500, 'olive', '2.50 秒'],
    [5000, 'yellow', '5.00 秒'],
    [5001, 'red', '5.00 秒'],
  ] as const) {
    await page.unroute('**/api/channel/search**')
    await withChannel(page, { response_time, test_time: 1_700_000_000 })
    await page.goto(listOf(name))
    const time = row(page, name).getByText(text)
    await expect(time).toHaveAttribute('data-color', color)
    await expect(time).toHaveAttribute('title', '上次测试：2023-11-15 06:13:20')
  }
})

test('a channel whose last test failed shows it, with time and reason on hover', async ({ page, root }) => {
  const name = unique('failed-')
  await root.makeChannel({ name })
  const test_error = { zh: '无法连接', en: 'Out of reach' }
  await withChannel(page, { response_time: 0, test_time: 1_700_000_000, test_error })
  await page.goto(listOf(name))
  const failed = row(page, name).getByText('测试失败', { exact: true })
  await expect(failed).toHaveAttribute('data-color', 'red')
  await expect(failed).toHaveAttribute('title', '上次测试：2023-11-15 06:13:20\n无法连接')
})

test('a channel is tested with the chosen model [R2.84 R7.46]', async ({ page, root }) => {
  const upstream = await startUpstream()
  const name = unique('tested-')
  await root.makeChannel({ name, type: 8, base_url: upstream.url, models: 'gpt-4o,gpt-4o-mini' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(listOf(name))
  await page.getByRole('combobox', { name: `渠道 ${name} 的测试模型`, exact: true }).click()
  await page.getByRole('option', { name: 'gpt-4o-mini', exact: true }).click()
  const sent = page.waitForRequest('**/api/channel/test/**')
  await page.getByRole('button', { name: `测试渠道 ${name}`, exact: true }).click()
  expect((await sent).url()).toContain('model=gpt-4o-mini')
  await toasted(page, new RegExp(`渠道 ${name} 测试成功，模型 gpt-4o-mini，耗时 \\d+\\.\\d\\d 秒`))
  await expect(row(page, name).locator('[data-color="green"]', { hasText: '秒' })).toBeVisible()
  await upstream.stop()
  // A second click too soon may count as part of a double click.
  await expect(async () => {
    await page.getByRole('button', { name: `测试渠道 ${name}`, exact: true }).click()
    await expect(toasts(page).locator('[data-kind="error"]')).toBeVisible({ timeout: 3000 })
  }).toPass()
  await expect(row(page, name)).toContainText('测试失败')
})

test('all channels are tested in the background, with progress and an end [R2.85 R7.45]', async ({ page, root }) => {
  const upstream = await startUpstream()
  const name = unique('batch-')
  await root.makeChannel({ name, type: 8, base_url: upstream.url })
  await page.goto(listOf(name))
  const menu = page.getByRole('button', { name: '批量操作', exact: true })
  for (const [item, scope] of [
    ['测试所有渠道', 'all'],
    ['测试禁用渠道', 'disabled'],
  ] as const) {
    await answer(page, '**/api/channel/test?**', { success: true, message: '' })
    await answer(page, '**/api/channel/test_progress', {
      success: true,
      message: '',
      data: { running: true, total: 7, done: 3, failed: 1 },
    })
    const sent = page.waitForRequest('**/api/channel/test?**')
    await menu.click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
    expect((await sent).url()).toContain(`scope=${scope}`)
    await toasted(page, '已开始测试')
    await expect(page.getByText('测试进行中：已完成 3 / 7，失败 1 个')).toBeVisible()
    await page.unroute('**/api/channel/test_progress')
    await answer(page, '**/api/channel/test_progress', {
      success: true,
      message: '',
      data: { running: false, total: 7, done: 7, failed: 1 },
    })
    await toasted(page, '测试完成，共 7 个渠道，失败 1 个')
    await page.unroute('**/api/channel/**')
  }
  await upstream.stop()
})

test('a test of all channels reaches the vendor, and a refusal by the server is shown [R2.85]', async ({
  page,
  root,
}) => {
  const upstream = await startUpstream()
  const name = unique('real-')
  await root.call('DELETE', '/api/channel/disabled')
  await root.makeChannel({ name, type: 8, base_url: upstream.url })
  await root.call('PUT', '/api/channel/', { id: await idOf(root, name), status: 2 })
  await page.goto(listOf(name))
  await page.getByRole('button', { name: '批量操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '测试禁用渠道', exact: true }).click()
  await expect(row(page, name).getByText(/^\d+\.\d\d 秒$/)).toBeVisible()
  await answer(page, '**/api/channel/test?**', { success: false, message: '测试已在运行中' })
  await page.getByRole('button', { name: '批量操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '测试所有渠道', exact: true }).click()
  await toasted(page, '测试已在运行中')
  await upstream.stop()
})

test('a click on a balance queries the vendor [R2.86 R7.47 R9.10]', async ({ page, root }) => {
  const upstream = await startUpstream()
  const name = unique('rich-')
  await root.makeChannel({ name, type: 8, base_url: upstream.url })
  await page.goto(listOf(name))
  const balance = page.getByRole('button', { name: new RegExp(`更新渠道 ${name} 的余额$`) })
  await expect(balance).toHaveText('$0.00')
  const sent = page.waitForRequest('**/api/channel/update_balance/**')
  await balance.click()
  await sent
  await toasted(page, `渠道 ${name} 余额更新成功`)
  await expect(balance).toHaveText('$58.00')
  await upstream.stop()
})

test('a channel with unpriced models has a mark that says so', async ({ page, root }) => {
  const name = unique('signed-')
  await root.makeChannel({ name, models: 'gpt-4o,house-model' })
  await page.goto(listOf(name))
  const sign = row(page, name).getByRole('button', { name: '1 个模型没有价格。', exact: true })
  await sign.hover()
  await expect(page.getByRole('tooltip')).toContainText('按「未知模型的倍率」计费。 house-model')
})

test('all balances are refreshed at once', async ({ page, root }) => {
  const upstream = await startUpstream()
  const name = unique('richer-')
  await root.makeChannel({ name, type: 8, base_url: upstream.url })
  await page.goto(listOf(name))
  // Channels of other tests would be queried too, and their vendors have stopped.
  await page.route('**/api/channel/update_balance', async (route) => {
    await root.call('GET', `/api/channel/update_balance/${await idOf(root, name)}`)
    await route.fulfill({ json: { success: true, message: '' } })
  })
  await page.getByRole('button', { name: '批量操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '更新所有余额', exact: true }).click()
  await toasted(page, '已更新所有启用渠道的余额')
  await expect(row(page, name)).toContainText('$58.00')
  await upstream.stop()
})

test('deleting a channel asks for confirmation by name [R2.82 R7.43]', async ({ page, root }) => {
  const name = unique('doomed-')
  const only = unique('only-here-')
  await root.makeChannel({ name, models: only })
  await page.goto(listOf(name))
  await page.getByRole('button', { name: `渠道 ${name} 的更多操作`, exact: true }).click()
  await page.getByRole('menuitem', { name: '删除渠道', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `删除渠道 ${name}？`, exact: true })
  await expect(dialog).toContainText(`之后有 1 个模型在分组里不再有已启用的渠道：${only}（default）`)
  await dialog.getByRole('button', { name: '取消', exact: true }).click()
  await expect(row(page, name)).toBeVisible()
  await page.getByRole('button', { name: `渠道 ${name} 的更多操作`, exact: true }).click()
  await page.getByRole('menuitem', { name: '删除渠道', exact: true }).click()
  await dialog.getByRole('button', { name: '删除渠道', exact: true }).click()
  await toasted(page, '渠道已删除')
  await expect(page.getByText('没有匹配的结果')).toBeVisible()
})

test('all disabled channels are deleted and counted [R2.83 R7.44 R8.31]', async ({ page, root }) => {
  await root.call('DELETE', '/api/channel/disabled')
  const word = unique('off-')
  await root.makeChannel({ name: `${word}-a` })
  await root.makeChannel({ name: `${word}-b` })
  await root.call('PUT', '/api/channel/', { id: await idOf(root, `${word}-a`), status: 2 })
  await page.goto(listOf(word))
  await page.getByRole('button', { name: '批量操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '删除禁用渠道', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '删除所有禁用的渠道？', exact: true })
  await dialog.getByRole('button', { name: '删除禁用渠道', exact: true }).click()
  await toasted(page, '已删除 1 个禁用渠道')
  await expect(row(page, `${word}-a`)).toHaveCount(0)
  await expect(row(page, `${word}-b`)).toBeVisible()
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
  await expect(page.getByRole('menuitem', { name: '密钥', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: '模型列表', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: '复制渠道', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: '新建预算', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: '删除渠道', exact: true })).toBeFocused()
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

test('channels are filtered, selected with Shift, and changed together after a preview', async ({
  page,
  root,
  signInAs,
}) => {
  // Only the super administrator can change proxies without entering the keys again.
  await signInAs(root)
  const [word, tag] = [unique('many-'), unique('tag-')]
  const names = ['a', 'b', 'c', 'd'].map((letter) => `${word}-${letter}`)
  for (const name of names) await root.makeChannel({ name, tag, models: `${word}-model`, group: word })
  await root.makeChannel({ name: `${word}-other` })
  await page.goto(`${listOf(word)}&tag=${tag}`)
  await expect(page.getByText('共 4 个渠道，已启用 4 个')).toBeVisible()

  await page.getByRole('checkbox', { name: `选择渠道 ${names[3]}`, exact: true }).click()
  await page.getByRole('checkbox', { name: `选择渠道 ${names[1]}`, exact: true }).click({ modifiers: ['Shift'] })
  await expect(page.getByText('已选 3 个渠道')).toBeVisible()
  await page.getByRole('button', { name: '修改所选渠道', exact: true }).click()
  await page.getByRole('menuitem', { name: '设置权重', exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: '权重', exact: true }).fill('7')
  await page.getByRole('button', { name: '预览', exact: true }).click()
  await expect(page.getByText('所选 3 个渠道中，3 个会改变。')).toBeVisible()
  await expect(page.getByText('权重：0 → 7')).toHaveCount(3)
  await page.getByRole('button', { name: '修改 3 个渠道', exact: true }).click()
  await toasted(page, '3 个渠道已经改变')
  await expect(page.getByText('已选 3 个渠道')).toBeHidden()
  await expect(page.getByRole('textbox', { name: `渠道 ${names[1]} 的权重`, exact: true })).toHaveValue('7')
  await expect(page.getByRole('textbox', { name: `渠道 ${names[0]} 的权重`, exact: true })).toHaveValue('0')

  const dialog = page.getByRole('dialog')
  await page.getByRole('checkbox', { name: `选择渠道 ${names[0]}`, exact: true }).click()
  await page.getByRole('button', { name: '修改所选渠道', exact: true }).click()
  await page.getByRole('menuitem', { name: '添加模型映射', exact: true }).click()
  await dialog.getByRole('button', { name: '添加一行', exact: true }).click()
  await dialog.getByRole('textbox', { name: '调用的模型', exact: true }).fill(`${word}-model`)
  await dialog.getByRole('textbox', { name: '实际请求的模型', exact: true }).fill('o3')
  await page.getByRole('button', { name: '预览', exact: true }).click()
  await expect(page.getByText(`${word}-model 的映射：无 → o3`)).toBeVisible()
  await page.getByRole('button', { name: '修改 1 个渠道', exact: true }).click()
  await expect(page.getByText('已选 1 个渠道')).toBeHidden()

  await page.getByRole('checkbox', { name: `选择渠道 ${names[0]}`, exact: true }).click()
  await page.getByRole('button', { name: '修改所选渠道', exact: true }).click()
  await page.getByRole('menuitem', { name: '设置网络代理', exact: true }).click()
  const address = dialog.getByRole('textbox', { name: '网络代理', exact: true })
  await address.fill('http://127.0.0.1:3128/path')
  await page.getByRole('button', { name: '预览', exact: true }).click()
  await expect(dialog.getByText('代理地址应为 http://、https:// 或 socks5://主机:端口')).toBeVisible()
  await address.fill('http://127.0.0.1:3128')
  await dialog.getByRole('textbox', { name: '代理用户名', exact: true }).fill('bob')
  await page.getByRole('button', { name: '预览', exact: true }).click()
  await expect(page.getByText('网络代理：无 → http://127.0.0.1:3128')).toBeVisible()
  await expect(page.getByText('代理的用户名和密码会改变')).toBeVisible()
  await page.getByRole('button', { name: '修改 1 个渠道', exact: true }).click()
  await expect(page.getByText('已选 1 个渠道')).toBeHidden()

  await page.getByRole('checkbox', { name: `选择渠道 ${names[0]}`, exact: true }).click()
  await page.getByRole('button', { name: '选择符合条件的全部 4 个', exact: true }).click()
  await page.getByRole('button', { name: '修改所选渠道', exact: true }).click()
  await page.getByRole('menuitem', { name: '禁用', exact: true }).click()
  await expect(page.getByText(`${word}-model（${word}）`)).toBeVisible()
  await page.getByRole('button', { name: '修改 4 个渠道', exact: true }).click()
  await expect(page.getByText('共 4 个渠道，已启用 0 个')).toBeVisible()
  await page.getByRole('combobox', { name: '状态', exact: true }).selectOption('1')
  await expect(page).toHaveURL(/status=1/)
  await expect(page.getByRole('paragraph').filter({ hasText: '没有匹配的结果' })).toBeVisible()
})
