import { unique } from './support/api.ts'
import { field } from './support/find.ts'
import { pretendToSave, puts, section } from './support/settings.ts'
import { expect, test, toasted } from './support/test.ts'

/* Options belong to the whole site: a test that changes one restores it. */

test.beforeEach(async ({ signInAs, admin }) => signInAs(admin))

test('quota fields show their value in dollars while typing [R2.61]', async ({ page }) => {
  await pretendToSave(page)
  await page.goto('/setting?tab=operation')
  const quota = section(page, '额度设置')
  await field(quota, '新用户初始额度').fill('1.5')
  await expect(quota.getByText('合 750,000 点额度').first()).toBeVisible()
  const sent = puts(page)
  await quota.getByRole('button', { name: '保存额度设置', exact: true }).click()
  await expect.poll(() => sent).toEqual([{ key: 'QuotaForNewUser', value: '750000' }])
})

test('ratios are edited in a table [R2.62]', async ({ page, root }) => {
  await page.goto('/setting?tab=operation')
  const ratios = section(page, '倍率设置')
  const save = ratios.getByRole('button', { name: '保存倍率设置', exact: true })
  const table = ratios.getByRole('table', { name: '分组倍率', exact: true })
  await expect(table.getByRole('row')).toHaveCount(4)

  const add = ratios.getByPlaceholder('名称，例如 vip', { exact: true })
  await ratios.getByRole('button', { name: '添加', exact: true }).last().click()
  await expect(ratios.getByText('请输入名称')).toBeVisible()
  await add.fill('default')
  await expect(ratios.getByText('已经有这个名称')).toBeVisible()
  await add.fill('partner')
  await add.press('Enter')
  const partner = field(table, 'partner 的倍率')
  await partner.fill('-1')
  // What is refused stays in sight, and keeps the section from being saved.
  await partner.blur()
  const sent = puts(page)
  await save.click()
  await expect(partner).toBeFocused()
  await expect(partner).toHaveValue('-1')
  await expect(partner).toHaveAccessibleDescription('请输入 0 到 1,000,000 的数字')
  expect(sent).toEqual([])
  await partner.fill('1000001')
  await expect(partner).toHaveAccessibleDescription('请输入 0 到 1,000,000 的数字')
  await partner.fill('0.8')
  await table.getByRole('button', { name: '删除 svip', exact: true }).click()
  await save.click()
  await toasted(page, '操作成功完成')
  expect(sent.map(({ key }) => key)).toEqual(['GroupRatio'])
  expect(JSON.parse(sent[0]?.value ?? '')).toEqual({ partner: 0.8, default: 1, vip: 1 })

  await ratios.getByPlaceholder('名称，例如 gpt-4o', { exact: true }).first().fill('my-model')
  await ratios.getByPlaceholder('名称，例如 gpt-4o', { exact: true }).first().press('Enter')
  await field(ratios, 'my-model 的倍率').fill('2.5')
  const price = field(ratios, 'my-model 的输入价格')
  await expect(price).toHaveValue('5')
  // What is typed as money is the same ratio.
  await price.fill('0.15')
  await expect(field(ratios, 'my-model 的倍率')).toHaveValue('0.075')
  await price.fill('free')
  await expect(price).toHaveAccessibleDescription('请输入 0 到 2,000,000 的数字')
  await root.setOption('GroupRatio', '{"default":1,"vip":1,"svip":1}')
})

test('an unpriced model is added to the table by a click, at its current price', async ({ page, root }) => {
  const model = unique('house-model-')
  await root.makeChannel({ models: `gpt-4o,${model}` })
  await page.goto('/setting?tab=operation')
  const ratios = section(page, '倍率设置')
  const unpriced = ratios.getByRole('region', { name: '没有价格的模型', exact: true })
  const all = unpriced.getByRole('button', { name: /显示全部/ })
  await expect(unpriced).toBeVisible()
  if (await all.isVisible()) await all.click()
  const chip = unpriced.getByRole('button', { name: `为 ${model} 设置倍率`, exact: true })
  // The whole line of its name is visible.
  expect((await chip.getByText(model, { exact: true }).boundingBox())?.height).toBeGreaterThan(14)
  await chip.click()
  await expect(unpriced.getByRole('button', { name: `为 ${model} 设置倍率`, exact: true })).toHaveCount(0)
  const ratio = field(ratios, `${model} 的倍率`)
  await expect(ratio).toHaveValue('30')
  await field(ratios, `${model} 的输入价格`).fill('1')
  await expect(ratio).toHaveValue('0.5')
  await ratios.getByRole('button', { name: '保存倍率设置', exact: true }).click()
  await toasted(page, '操作成功完成')
  const { data } = await root.call('GET', '/api/channel/unpriced')
  expect(data.map((entry: { model: string }) => entry.model)).not.toContain(model)
  await root.setOption('ModelRatio', '{}')
})

test('a long ratio table can be searched', async ({ page }) => {
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`model-${n}`, n]))
  await page.route('**/api/option/', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const data = json.data.map((option: { key: string }) =>
      option.key === 'ModelRatio' ? { ...option, value: JSON.stringify(many) } : option,
    )
    await route.fulfill({ response, json: { ...json, data } })
  })
  await page.goto('/setting?tab=operation')
  const table = page.getByRole('table', { name: '模型倍率', exact: true })
  await expect(page.getByText('共 120 项')).toBeVisible()
  await expect(table.getByRole('row')).toHaveCount(31)
  await page.getByRole('searchbox', { name: '搜索模型倍率', exact: true }).fill('model-77')
  await expect(table.getByRole('row')).toHaveCount(2)
})

test('ratios must be valid JSON, each with its own message [R5.10 R5.11 R5.12]', async ({ page }) => {
  await page.goto('/setting?tab=operation')
  const ratios = section(page, '倍率设置')
  const sent = puts(page)
  for (const [label, message] of [
    ['模型倍率', '模型倍率不是合法的 JSON 字符串'],
    ['补全倍率', '补全倍率不是合法的 JSON 字符串'],
    ['分组倍率', '分组倍率不是合法的 JSON 字符串'],
  ] as const) {
    await ratios
      .getByRole('radiogroup', { name: `${label}的编辑方式`, exact: true })
      .getByText('JSON')
      .click()
    await field(ratios, `${label}（JSON）`).fill('{ "a": ')
    await ratios.getByRole('button', { name: '保存倍率设置', exact: true }).click()
    await expect(ratios.getByText(message)).toBeVisible()
  }
  expect(sent).toEqual([])
})

test('an alias for a model that no channel offers is warned about before it is saved', async ({ page }) => {
  await page.goto('/setting?tab=operation#models')
  await field(page, '新别名').fill('story-alias')
  await page.keyboard.press('Enter')
  const alias = page.getByRole('group', { name: 'story-alias', exact: true })
  // No model is chosen for the operator, and nothing is saved without one.
  await expect(field(alias, '代表的模型')).toHaveValue('')
  const names = page.getByRole('region', { name: '模型名称', exact: true })
  await names.getByRole('button', { name: '保存', exact: true }).click()
  await expect(field(alias, '代表的模型')).toBeFocused()
  // On its way to the name the text is the alias itself.
  await field(alias, '代表的模型').pressSequentially('story-alias-2')
  await expect(field(alias, '代表的模型')).toHaveValue('story-alias-2')
  await field(alias, '代表的模型').fill('nobody-offers-this')
  await expect(alias.getByRole('status')).toContainText('用这个别名的调用会失败')
})
