import { unique } from './support/api.ts'
import { idOf, listOf, withChannel } from './support/channels.ts'
import { row } from './support/find.ts'
import { answer } from './support/status.ts'
import { expect, test, toasted, toasts } from './support/test.ts'
import { startUpstream } from './support/upstream.ts'

test.beforeEach(async ({ signInAs, admin }) => signInAs(admin))

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
  await expect(balance).toHaveText('未查询')
  const sent = page.waitForRequest('**/api/channel/update_balance/**')
  await balance.click()
  await sent
  await toasted(page, `渠道 ${name} 余额更新成功`)
  await expect(balance).toHaveText('$58.00')
  await upstream.stop()
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
