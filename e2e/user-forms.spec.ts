import { unique } from './support/api.ts'
import { arrived, field, row } from './support/find.ts'
import { startServer } from './support/server.ts'
import { expect, test, toasted, toasts } from './support/test.ts'

test('creating a user ignores empty fields silently and then reports success [R2.21 R5.19 R7.15 R8.21]', async ({
  page,
  root,
  signInAs,
}) => {
  const username = unique('n')
  await signInAs(root)
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()))
  await page.goto('/user/add')
  const submit = page.getByRole('button', { name: '创建用户', exact: true })
  await submit.click()
  await expect(field(page, '用户名')).toBeFocused()
  await field(page, '用户名').fill(username)
  await submit.click()
  await expect(field(page, '密码')).toBeFocused()
  expect(calls).toEqual([])
  await expect(toasts(page)).toBeEmpty()
  await field(page, '密码').fill('short')
  await submit.click()
  await expect(page.getByText('密码长度不得小于 8 位')).toBeVisible()
  await field(page, '显示名称').fill('新同事')
  await field(page, '密码').fill('long-enough')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await submit.click()
  expect((await sent).postDataJSON()).toEqual({ username, display_name: '新同事', password: 'long-enough' })
  await toasted(page, '用户账户创建成功')
  await expect(page).toHaveURL(/\/user$/)
  await expect(row(page, username)).toBeVisible()
})

test('one’s own profile is edited, bound accounts are only shown [R2.22 R3.03 R5.17 R7.14 R7.17 R8.20]', async ({
  page,
  account,
  signIn,
  signInAs,
}) => {
  await signIn()
  await page.goto('/user/edit')
  await expect(field(page, '用户名')).toHaveValue(account.username)
  for (const label of ['GitHub 账户', '微信账户', '邮箱地址']) {
    await expect(field(page, label)).not.toBeEditable()
  }
  await expect(field(page, '分组')).toHaveCount(0)
  await expect(field(page, '剩余额度')).toHaveCount(0)
  const password = field(page, '新密码')
  await expect(password).toHaveAttribute('placeholder', '最短 8 位')
  await password.fill('1234567')
  await page.getByRole('button', { name: '保存个人信息', exact: true }).click()
  await expect(page.getByText('密码长度不得小于 8 位')).toBeVisible()
  await expect(password).toBeFocused()
  await password.fill('another-password')
  await field(page, '显示名称').fill('新名字')
  await page.getByRole('button', { name: '保存个人信息', exact: true }).click()
  await toasted(page, '用户信息更新成功')
  await expect(page).toHaveURL(/\/setting$/)
  await signInAs({ ...account, password: 'another-password' })
})

test('an administrator edits groups and quota; spending in between is not undone [R2.23 R5.18 R6.04 R7.13 R7.16 R7.24 R8.20]', async ({
  page,
  root,
  signInAs,
}) => {
  await root.makeChannel()
  const { username } = await root.makeUser()
  const find = async () => (await root.call('GET', `/api/user/search?keyword=${username}`)).data[0]
  const { id } = await find()
  await root.call('PUT', '/api/user/', { id, quota: 1_000_000 })
  await signInAs(root)
  await page.goto(`/user/edit/${id}`)
  const quota = field(page, '剩余额度')
  await expect(quota).toHaveValue('$2')
  await quota.fill('3')
  await expect(page.getByText('合 1,500,000 点额度')).toBeVisible()
  await page.getByRole('combobox', { name: '分组', exact: true }).fill('vip')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: '分组', exact: true }).fill('my-own-group')
  await page.keyboard.press('Enter')
  // Meanwhile 400000 are spent, somebody else edits the account, and the connection is lost and found.
  await root.call('PUT', '/api/user/', { id, quota: 600_000, display_name: 'renamed' })
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: '保存用户', exact: true }).click()
  expect((await sent).postDataJSON()).toMatchObject({ id, quota: 1_500_000, quota_base: 1_000_000 })
  await toasted(page, '用户信息更新成功')
  expect(await find()).toMatchObject({ quota: 1_100_000, group: 'default,vip,my-own-group', display_name: 'renamed' })
})

test('leaving a changed profile asks for confirmation', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/user/edit')
  await field(page, '显示名称').fill('changed')
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '继续编辑', exact: true }).click()
  await expect(field(page, '显示名称')).toHaveValue('changed')
})

test('the warning about the default password stays until it is changed [R2.32 R2.33]', async ({ page }) => {
  const server = await startServer()
  await page.goto(`${server.url}/login`)
  await field(page, '用户名或邮箱地址').fill('root')
  await field(page, '密码').fill('123456')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await arrived(page, '个人信息')
  const banner = page.getByRole('alert').filter({ hasText: '请立即修改默认密码' })
  await expect(banner).toBeVisible()
  await field(page, '新密码').fill('a-better-password')
  await page.getByRole('button', { name: '保存个人信息', exact: true }).click()
  await toasted(page, '用户信息更新成功')
  await expect(banner).toHaveCount(0)
  await expect(page.getByText('请立即修改默认密码')).toHaveCount(0)
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(page.getByRole('region', { name: '开始使用', exact: true })).toBeVisible()
  await server.stop()
})
