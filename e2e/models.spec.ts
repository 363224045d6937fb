import { unique } from './support/api.ts'
import { arrived, field } from './support/find.ts'
import { expect, inEnglish, test } from './support/test.ts'

test('a user finds a model, what it costs per million tokens, and how to connect to it', async ({
  page,
  root,
  api,
  signIn,
}) => {
  const alike = unique('gpt-4o-mini-')
  await root.makeChannel({
    models: `${alike},gpt-4o-mini`,
    model_mapping: JSON.stringify({ [alike]: 'gpt-4o-mini' }),
  })
  await api.makeToken()
  await signIn()
  await inEnglish(page)
  await page.goto('/model')
  await arrived(page, 'Models and prices')
  await field(page, 'Search models by name').fill(alike)
  const row = page.getByRole('row').filter({ hasText: alike })
  await expect(row.getByRole('cell')).toHaveText([alike, '$0.15', '$0.075', '$0.60', '—', ''])
  await expect(page.getByText('1 model available')).toBeVisible()
  await row.getByRole('link', { name: alike, exact: true }).click()
  await arrived(page, 'Connect')
  expect(new URL(page.url()).searchParams.get('model')).toBe(alike)
})

test('an administrator sees what a model costs a group, and that it has no price', async ({ page, root, signInAs }) => {
  const model = unique('house-')
  // More than the settings show at first, all of them before this one.
  const others = Array.from({ length: 15 }, () => unique('a-'))
  await root.makeChannel({ models: [...others, model].join(','), group: 'svip' })
  await signInAs(root)
  await page.goto(`/model?keyword=${model}`)
  await expect(page.getByText('没有匹配的结果')).toBeVisible()
  await field(page, '查看哪个分组的价格').selectOption('svip')
  const row = page.getByRole('row').filter({ hasText: model })
  await expect(row).toContainText('没有设置价格，按未知模型的倍率计费')
  await expect(page.getByText('分组 svip 可以调用 1 个模型')).toBeVisible()
  await page.reload()
  await expect(row).toContainText('$60.00')
  await row.getByRole('link', { name: '去设置价格', exact: true }).click()
  await expect(page.getByRole('button', { name: `为 ${model} 设置倍率`, exact: true })).toBeVisible()
})
