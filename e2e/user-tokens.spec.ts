import { expectAccessible } from './support/axe.ts'
import { field, row } from './support/find.ts'
import { answer } from './support/status.ts'
import { expect, test, toasted } from './support/test.ts'

test('an administrator finds a key, disables it with a reason that its owner reads, and enables it again', async ({
  page,
  root,
  admin,
  account,
  api,
  signIn,
  signInAs,
}) => {
  const { id, key } = await api.makeToken({ name: 'shared-key', models: 'gpt-4o' })
  await api.makeToken({ name: 'other-key', models: 'o3' })
  const { data } = await root.call('GET', `/api/user/search?keyword=${account.username}`)
  await signInAs(admin)
  await page.goto('/token')
  await page.getByRole('link', { name: '所有用户的令牌', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '所有用户的令牌', exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: '所有者的用户名或 ID', exact: true }).fill(String(data[0].id))
  await page.keyboard.press('Enter')
  await expect(page.getByText('共 3 个令牌')).toBeVisible()
  await page.getByRole('combobox', { name: '可以调用的模型', exact: true }).fill('gpt-4o')
  await page.keyboard.press('Enter')
  await expect(row(page, 'other-key')).toHaveCount(0)
  await expect(row(page, 'shared-key')).toContainText('从未使用')
  expect(await page.content()).not.toContain(key)

  await page.getByRole('button', { name: '禁用令牌 shared-key', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `禁用 ${account.username} 的令牌 shared-key？`, exact: true })
  await expect(dialog.getByRole('button', { name: '禁用令牌', exact: true })).toBeDisabled()
  await field(dialog, '原因').fill('密钥被公开')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '禁用令牌', exact: true }).click()
  await toasted(page, '令牌已禁用')
  await expect(row(page, 'shared-key')).toContainText('管理员禁用')
  await page.getByRole('combobox', { name: '状态', exact: true }).selectOption({ label: '管理员禁用' })
  await expect(page).toHaveURL(/status=5/)
  await expect(row(page, 'shared-key')).toBeVisible()

  expect((await api.call('GET', `/api/token/${id}`)).data).toMatchObject({
    blocked: true,
    blocked_reason: '密钥被公开',
  })
  await page.getByRole('button', { name: '启用令牌 shared-key', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '启用令牌', exact: true }).click()
  await toasted(page, '令牌已启用')
  await expect(page.getByText('没有匹配的结果')).toBeVisible()
  await page.getByRole('button', { name: '清除筛选', exact: true }).click()
  await expect(page).toHaveURL(/\/token\/all$/)

  await root.call('POST', '/api/token/manage', { id, action: 'disable', reason: '密钥被公开' })
  await signIn()
  await answer(page, '**/api/token/activity?**', {
    success: true,
    message: '',
    data: [
      {
        id,
        spend: [0, 500_000, 0, 250_000, 0, 0, 1_000_000],
        addresses: [{ address: '203.0.113.9', last_at: 1_790_000_000 }],
        address_count: 1,
        unusual: { networks: ['203.0.113.0/24'], calls: 600, usual: 4.25 },
      },
    ],
  })
  await page.goto('/token')
  const mine = row(page, 'shared-key')
  await expect(mine.getByRole('switch')).toBeDisabled()
  await expect(mine.getByRole('img', { name: /近 7 天消费：.*\$1\.00.*\$0\.50.*\$2\.00/ })).toBeVisible()
  await expect(mine.getByRole('link', { name: '$3.50', exact: true })).toHaveAttribute(
    'href',
    /^\/log\?(?!.*username)(?=.*token_name=shared-key)(?=.*type=2)(?=.*start=\d+)/,
  )
  await mine.getByRole('button', { name: '令牌 shared-key 的更多操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '查看调用日志', exact: true }).click()
  await expect(page).toHaveURL(/\/log\?token_name=shared-key$/)
  await page.goBack()
  await mine.getByRole('button', { name: '1 个地址', exact: true }).hover()
  await expect(page.getByRole('tooltip')).toContainText('203.0.113.9')
  await mine.getByRole('button', { name: '管理员禁用', exact: true }).hover()
  await expect(page.getByRole('tooltip').filter({ hasText: '原因：密钥被公开' })).toBeVisible()
  await mine.getByRole('img', { name: '使用异常', exact: true }).hover()
  await expect(page.getByRole('tooltip').filter({ hasText: '203.0.113.0/24' })).toContainText('平均每小时 4.3 次')
  await expectAccessible(page)
})
