import { fund, unique } from './support/api.ts'
import { expectAccessible } from './support/axe.ts'
import { field } from './support/find.ts'
import { expect, test, toasted } from './support/test.ts'
import { startUpstream } from './support/upstream.ts'

test('an administrator sees a route, tries another order, and saves it after a review', async ({
  page,
  root,
  api,
  account,
  signInAs,
}) => {
  const upstream = await startUpstream()
  const model = unique('model-')
  const [first, second, spare] = [unique('first-'), unique('second-'), unique('spare-')]
  const fields = { models: `${model},${model}-mini`, type: 8, base_url: upstream.url }
  await root.makeChannel({ ...fields, name: first, priority: 5 })
  await root.makeChannel({ ...fields, name: second, weight: 1 })
  await root.makeChannel({ ...fields, name: spare, weight: 1 })
  await root.makeChannel({ ...fields, name: unique('vip-'), group: 'vip' })
  await fund(root, account)
  const { key } = await api.makeToken({ unlimited_quota: true })
  const messages = [{ role: 'user', content: 'hi' }]
  await page.request.post('/v1/chat/completions', {
    headers: { authorization: `Bearer sk-${key}` },
    data: { model, messages },
  })
  await root.setOption('RetrySeconds', '0')

  await signInAs(root)
  await page.goto(`/route?model=${model}`)
  const level = (number: number) => page.getByRole('region', { name: new RegExp(`^第 ${number} 级 · `) })
  const card = (name: string) => page.getByRole('listitem').filter({ hasText: name }).filter({ hasText: '占比' })
  await expect(level(1)).toContainText(first)
  await expect(level(2)).toContainText(second)
  await expect(card(first)).toContainText('占比 100%')
  await expect(card(second)).toContainText('占比 50.0%')
  await expect(page.getByText('不对这个分组开放', { exact: false })).toBeVisible()
  await expect(page.getByRole('list', { name: '最近的真实选择', exact: true })).toContainText(`${first} 回答`)
  await expectAccessible(page)

  // A weight shows its share before it is saved.
  await field(card(second), '权重').fill('3')
  await expect(card(second)).toContainText('占比 75.0%')
  await expect(card(spare)).toContainText('占比 25.0%')

  // Text that is no number is not taken for the last one that was.
  await field(card(second), '权重').fill('3x')
  await page.getByRole('button', { name: '查看修改', exact: true }).click()
  await expect(field(card(second), '权重')).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await field(card(second), '权重').fill('3')

  // Dragged into the level above; then a step down with the keyboard, where the focus stays with the channel.
  const handle = page.getByRole('button', { name: `拖动 ${second}`, exact: true })
  const from = await handle.boundingBox()
  const to = await level(1).boundingBox()
  if (from === null || to === null) throw new Error('There is nothing to drag')
  await page.mouse.move(from.x + 5, from.y + 5)
  await page.mouse.down()
  await page.mouse.move(to.x + 60, to.y + 20, { steps: 5 })
  await expect(level(1)).toHaveAttribute('data-over', 'true')
  await page.mouse.up()
  await expect(level(1)).toContainText(second)
  const down = page.getByRole('button', { name: `${second} 下移`, exact: true })
  await down.focus()
  await page.keyboard.press('Enter')
  await expect(down).toBeFocused()
  await expect(level(2)).toContainText(second)
  await expect(level(3)).toContainText(spare)

  await page.getByRole('button', { name: '试算一千次', exact: true }).click()
  await expect(page.getByText('1,000 次调用首先选中')).toBeVisible()
  await expect(page.getByText('1,000 次', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: '查看修改', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('权重 1 → 3')
  await expect(dialog).toContainText(`default 的 ${model}-mini`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '修改 1 个渠道', exact: true }).click()
  await toasted(page, '先后和权重已保存')
  await page.reload()
  await expect(level(2)).toContainText(second)
  await expect(field(card(second), '权重')).toHaveValue('3')

  // With the cheapest-first policy the order cannot be changed; then the policy is set back.
  const policy = field(page, '这个分组调用这个模型时')
  await policy.selectOption('cheapest')
  await page.getByRole('button', { name: '保存策略', exact: true }).click()
  await toasted(page, '选择策略已保存')
  await expect(handle).toHaveCount(0)
  await policy.selectOption('in_order')
  await page.getByRole('button', { name: '保存策略', exact: true }).click()
  await expect(handle).toBeVisible()

  // What another administrator has saved meanwhile is shown, and not overwritten.
  await field(page, '重试时限（秒）').fill('30')
  await root.setOption('RetrySeconds', '20')
  await page.getByRole('button', { name: '保存重试设置', exact: true }).click()
  await toasted(page, '「重试时限（秒）」已被其他管理员修改')
  await expect(field(page, '重试时限（秒）')).toHaveValue('20')
  await field(page, '重试时限（秒）').fill('30')
  await page.getByRole('button', { name: '保存重试设置', exact: true }).click()
  await toasted(page, '重试设置已保存')
  const { data } = await root.call('GET', '/api/option/')
  expect(data).toContainEqual({ key: 'RetrySeconds', value: '30' })
  await root.setOption('RetrySeconds', '0')
  await upstream.stop()
})

test('a wide channel form shows the channel’s place in the order, and a narrow one does not request it', async ({
  page,
  root,
  admin,
  signInAs,
}) => {
  const model = unique('placed-')
  const neighbour = unique('neighbour-')
  await root.makeChannel({ name: neighbour, models: model, weight: 1 })
  await signInAs(admin)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/channel/add')
  const place = page.getByRole('region', { name: '会排在哪里', exact: true })
  const custom = page.getByRole('textbox', { name: '自定义模型名称', exact: true })
  await custom.fill(model)
  await custom.press('Enter')
  await page.getByText('更多选项', { exact: false }).first().click()
  await expect(place).toContainText(model)
  await expect(place).toContainText(`与 ${neighbour} 同级`)
  await field(page, '权重').fill('3')
  await expect(place).toContainText('占比 75.0%')
  await field(page, '优先级').fill('9')
  await expect(place).toContainText('第 1 级，共 2 级')
  await expectAccessible(page)

  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/api/route/') && asked.push(request.url()))
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(place).toHaveCount(0)
  await field(page, '优先级').fill('10')
  await expect(field(page, '优先级')).toHaveValue('10')
  expect(asked).toEqual([])
})
