import { field } from './support/find.ts'
import { expect, test, toasted } from './support/test.ts'

test('an administrator gives a user a budget, the user sees how much of it is used, and sets one for their own key', async ({
  page,
  root,
  api,
  account,
  signIn,
  signInAs,
}) => {
  const { data: own } = await api.call('GET', '/api/user/self')
  await signInAs(root)
  await page.goto(`/user?keyword=${account.username}`)
  await page.getByRole('button', { name: `用户 ${account.username} 的更多操作`, exact: true }).click()
  await page.getByRole('menuitem', { name: '预算', exact: true }).click()
  await expect(page.getByText('还没有预算')).toBeVisible()
  // The one below the list that is empty: both lead to a budget of this user.
  await page.getByRole('main').getByRole('link', { name: '新建预算', exact: true }).last().click()
  await page.getByRole('button', { name: '新建预算', exact: true }).click()
  await expect(page.getByText('金额必须大于 0')).toBeVisible()
  await field(page, '金额').fill('2.5')
  await expect(field(page, '时区')).toHaveValue('Asia/Shanghai')
  await field(page, '追加金额').fill('1')
  await page.getByRole('button', { name: '新建预算', exact: true }).click()
  await expect(page.getByText('请填写截止时间', { exact: false })).toBeVisible()
  await field(page, '追加金额').fill('0')
  await page.getByRole('button', { name: '新建预算', exact: true }).click()
  await toasted(page, '预算已创建')
  await expect(page).toHaveURL(/\/budget$/)
  const row = page.getByRole('row').filter({ hasText: `用户 ${account.username}` })
  await expect(row).toContainText('$2.50 每月')
  await expect(row).toContainText('$0.00 / $2.50')
  // A filter by one target is shown, and can be removed.
  await page.goto(`/budget?scope=user&target=${own.id}`)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: `移除筛选：对象：${account.username}`, exact: true }).click()
  await expect(page).toHaveURL(/\/budget\?scope=user$/)

  await signIn()
  const token = await api.makeToken({ name: 'agents' })
  await page.goto('/budget')
  await expect(page.getByRole('row').filter({ hasText: account.username })).toContainText('由管理员设置')
  await page.goto(`/budget/add?scope=key&target=${token.id}`)
  await expect(field(page, '对象')).toHaveValue(`agents (#${token.id})`)
  await field(page, '金额').fill('1')
  await page.getByRole('button', { name: '新建预算', exact: true }).click()
  await toasted(page, '预算已创建')
  await page.getByRole('link', { name: '编辑 agents 的预算', exact: true }).click()
  await field(page, '金额').fill('3')
  await page.getByRole('button', { name: '保存预算', exact: true }).click()
  await toasted(page, '预算已保存')
  const ownRow = page.getByRole('row').filter({ hasText: '令牌 agents' })
  await expect(ownRow).toContainText('$3.00 每月')
  await ownRow.getByRole('button', { name: 'agents 的更多操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '删除预算', exact: true }).click()
  await page.getByRole('button', { name: '删除预算', exact: true }).click()
  await toasted(page, '预算已删除')
  await expect(ownRow).toHaveCount(0)
})
