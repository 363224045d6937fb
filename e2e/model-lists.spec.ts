import { unique } from './support/api.ts'
import { arrived } from './support/find.ts'
import { expect, test, toasted } from './support/test.ts'
import { startUpstream } from './support/upstream.ts'

test('an administrator reviews changes in a provider’s model list, accepts some and ignores the rest', async ({
  page,
  root,
  signInAs,
  admin,
}) => {
  const upstream = await startUpstream()
  const name = unique('lists-')
  await root.makeChannel({ name, base_url: upstream.url, models: 'gpt-4o-mini,retired-model' })
  await signInAs(admin)
  await page.goto(`/channel?keyword=${name}`)
  await page.getByRole('button', { name: `渠道 ${name} 的更多操作`, exact: true }).click()
  await page.getByRole('menuitem', { name: '模型列表', exact: true }).click()
  await arrived(page, '模型列表的变化')
  const dialog = page.getByRole('dialog', { name: `${name} 的模型列表`, exact: true })
  await expect(dialog).toContainText('还没有查看过')
  await dialog.getByRole('button', { name: '现在查看', exact: true }).click()
  await expect(dialog.getByRole('checkbox', { name: 'retired-model', exact: true })).toBeChecked()
  await dialog.getByRole('checkbox', { name: /^brand-new/ }).check()
  await dialog.getByRole('button', { name: '预览', exact: true }).click()

  const preview = page.getByRole('dialog', { name: '接受变化', exact: true })
  await expect(preview).toContainText('没有价格，将按默认倍率计费：brand-new')
  await expect(preview).toContainText('移除模型：retired-model')
  await preview.getByRole('button', { name: '修改 1 个渠道', exact: true }).click()
  await toasted(page, '1 个渠道已经改变')
  const { data } = await root.call('GET', `/api/channel/search?keyword=${name}`)
  expect(data[0].models).toBe('gpt-4o-mini,brand-new')
  await upstream.stop()
})
