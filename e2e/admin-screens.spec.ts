import { unique } from './support/api.ts'
import { field } from './support/find.ts'
import { expectAccessibleInBothSchemes, expectToFit, LOCALES, setLocale } from './support/screens.ts'
import { expect, test } from './support/test.ts'

/** An administrator's channels and settings, in both languages, schemes and widths. */
const PATHS = [
  '/channel',
  '/channel/add',
  '/route',
  '/channel/models',
  '/token/all',
  '/setting',
  '/setting?tab=operation',
  '/setting?tab=system',
  '/setting?tab=other',
  '/about',
  '/chat',
]

const nameOf = (path: string) => path.replace(/\W+/g, '-').replace(/^-|-$/g, '')

for (const locale of LOCALES) {
  test(`an administrator's screens are accessible and fit: ${locale} [R0.02 R2.37]`, async ({
    page,
    root,
    signInAs,
    admin,
  }) => {
    test.slow()
    await root.makeChannel({ name: '一个名字很长很长的渠道用来测试截断与换行的效果', group: 'default,vip,svip' })
    await root.makeChannel({ name: 'azure', type: 3, base_url: 'https://r.openai.azure.com' })
    const pool = unique('pool-')
    await root.makeChannel({ name: pool, key: 'sk-first-key-1111\nsk-second-key-2222', key_pool: true })
    const { data } = await root.call('GET', `/api/channel/search?keyword=${pool}`)
    await signInAs(admin)
    await setLocale(page, locale)
    for (const path of [...PATHS, `/channel/keys/${data[0].id}`]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      await expectToFit(page, nameOf(path), locale)
    }
  })
}

test('dialogs and mistakes are accessible too', async ({ page, root, signInAs, admin }) => {
  test.slow()
  const name = unique('open-')
  await root.makeChannel({ name })
  await signInAs(admin)
  await setLocale(page, 'zh-CN')

  await page.goto(`/channel?keyword=${name}`)
  await page.getByRole('button', { name: '批量操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '删除禁用渠道', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessibleInBothSchemes(page)

  await page.goto('/channel/add')
  await page.getByRole('combobox', { name: '类型', exact: true }).click()
  await page.getByRole('option', { name: 'AWS', exact: true }).click()
  await page.getByRole('button', { name: '创建渠道', exact: true }).click()
  await page.getByRole('button', { name: '添加一行', exact: true }).click()
  await page.getByText('更多选项').click()
  await expectAccessibleInBothSchemes(page)

  await page.goto('/setting')
  await page.getByRole('button', { name: '绑定邮箱地址', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessibleInBothSchemes(page)

  await page.goto('/setting?tab=operation')
  await page.getByRole('radiogroup', { name: '模型倍率的编辑方式', exact: true }).getByText('JSON').click()
  await field(page, '模型倍率（JSON）').fill('{')
  await page.getByRole('button', { name: '保存倍率设置', exact: true }).click()
  await expect(page.getByText('模型倍率不是合法的 JSON 字符串')).toBeVisible()
  await expectAccessibleInBothSchemes(page)
})
