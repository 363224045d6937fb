import type { Page } from '@playwright/test'
import { unique } from './support/api.ts'
import { answered, arrived, field, row } from './support/find.ts'
import { startServer } from './support/server.ts'
import { answer } from './support/status.ts'
import { expect, inEnglish, test, toasted, toasts } from './support/test.ts'
import { typeInOneGo } from './support/typing.ts'

const more = (page: Page, name: string) =>
  page.getByRole('button', { name: `用户 ${name} 的更多操作`, exact: true }).click()
const entry = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })

/** Banning asks for confirmation, and names the user. */
const ban = async (page: Page, name: string) => {
  await page.getByRole('button', { name: `禁用用户 ${name}`, exact: true }).click()
  await page
    .getByRole('dialog', { name: `禁用用户 ${name}？`, exact: true })
    .getByRole('button', { name: '禁用用户', exact: true })
    .click()
}

const managed = (page: Page, act: () => Promise<void>) => answered(page, /\/api\/user\/manage$/, act)

/** The list filtered to one user: other tests create users too. */
const listOf = (page: Page, username: string) => page.goto(`/user?keyword=${username}`)

test('an administrator manages users and opens their forms [R2.20 R2.42 R1.02]', async ({ page, root, signInAs }) => {
  const admin = await root.makeUser({ role: 'admin' })
  const { username } = await root.makeUser()
  await signInAs(admin)
  await page.goto('/user')
  await expect(page.getByRole('heading', { level: 1, name: '管理用户', exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: '创建用户', exact: true })).toHaveAttribute(
    'href',
    '/user/add',
  )
  await listOf(page, username)
  await expect(page.getByRole('link', { name: `编辑用户 ${username}`, exact: true })).toHaveAttribute(
    'href',
    /\/user\/edit\/\d+$/,
  )
})

test('an ordinary user cannot open the users [R6.01]', async ({ page, signIn }) => {
  await signIn()
  for (const path of ['/user', '/user/add', '/user/edit/1']) {
    await page.goto(path)
    await expect(page.getByText('没有权限')).toBeVisible()
  }
})

test('a search waits for a pause in typing and is kept in the URL [R2.43 R7.12]', async ({ page, root, signInAs }) => {
  const { username } = await root.makeUser()
  await signInAs(root)
  await page.clock.install()
  await page.goto('/user')
  await expect(row(page, username)).toBeVisible()
  const searches: string[] = []
  page.on('request', (request) => request.url().includes('/api/user/search') && searches.push(request.url()))
  await typeInOneGo(page, page.getByRole('searchbox'), username)
  await expect(page).toHaveURL(new RegExp(`keyword=${username}`))
  await expect(page.getByRole('row')).toHaveCount(2)
  expect(searches).toHaveLength(1)
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue(username)
  await page.getByRole('searchbox').fill('no such user')
  await expect(page.getByText('没有匹配的结果')).toBeVisible()
})

test('filters by group, role and status are in the URL, and a search keeps them', async ({ page, root, signInAs }) => {
  const { username } = await root.makeUser()
  await signInAs(root)
  await page.goto('/user?group=default&role=100')
  await expect(page.getByLabel('角色', { exact: true })).toHaveValue('100')
  await expect(page.getByText('共 1 个用户')).toBeVisible()
  await page.getByRole('searchbox').fill(username)
  await expect(page.getByText('没有匹配的结果')).toBeVisible()
  await page.getByLabel('角色', { exact: true }).selectOption({ label: '普通用户' })
  await expect(row(page, username)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`keyword=${username}.*group=default.*role=1$`))
  await page.getByLabel('状态', { exact: true }).selectOption({ label: '已封禁' })
  await expect(page.getByText('没有匹配的结果')).toBeVisible()
  await page.getByRole('button', { name: '清除筛选', exact: true }).click()
  await expect(row(page, username)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/user\\?keyword=${username}$`))
})

test('the sort dropdown requests another order from the server [R2.45 R7.11]', async ({ page, root, signInAs }) => {
  await signInAs(root)
  await page.goto('/user')
  const orders = field(page, '排序方式')
  await expect(orders.getByRole('option')).toHaveText([
    '默认排序',
    '按剩余额度排序',
    '按已用额度排序',
    '按请求次数排序',
  ])
  for (const order of ['quota', 'used_quota', 'request_count']) {
    const asked = page.waitForRequest(`**/api/user/?p=0&order=${order}`)
    await orders.selectOption(order)
    await asked
    await expect(page).toHaveURL(new RegExp(`order=${order}$`))
  }
  await orders.selectOption('')
  await expect(page).toHaveURL(/\/user$/)
})

test('a header sorts all rows, not those of one page: it queries the server, and stays after an edit [R2.44]', async ({
  page,
  root,
  signInAs,
}) => {
  const prefix = unique('s')
  for (let made = 0; made < 12; made += 1) {
    await root.call('POST', '/api/user/', { username: `${prefix}${made}`, password: 'a-good-password' })
  }
  const { data } = await root.call('GET', `/api/user/search?keyword=${prefix}&p=1`)
  // The oldest user is on the second page and has the highest balance.
  await root.call('PUT', '/api/user/', { id: data.at(-1).id, quota: 9_000_000 })
  await signInAs(root)
  await listOf(page, prefix)
  const names = page.locator('tbody tr td:nth-child(2)')
  await expect(names).toHaveCount(10)
  await expect(page.getByRole('columnheader').getByRole('button')).toHaveText(['剩余额度', '已用额度', '请求次数'])
  await page.getByRole('button', { name: '剩余额度', exact: true }).click()
  await expect(names.first()).toHaveText(`${prefix}0`)
  await expect(page.getByRole('columnheader', { name: '剩余额度', exact: true })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await page.getByRole('button', { name: '第 2 页', exact: true }).click()
  await expect(names).toHaveCount(2)

  const place = page.url()
  await page
    .getByRole('link', { name: /^编辑用户/ })
    .first()
    .click()
  await field(page, '显示名称').fill('somebody else')
  await page.locator('button[type=submit]').click()
  await expect(names).toHaveCount(2)
  expect(page.url()).toBe(place)
  await page
    .getByRole('link', { name: /^编辑用户/ })
    .first()
    .click()
  await arrived(page, '编辑用户')
  await page.goBack()
  await expect(names).toHaveCount(2)
  expect(page.url()).toBe(place)
  await page.getByRole('button', { name: '剩余额度', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`keyword=${prefix}$`))
})

test('pages have real totals, and the next one is prefetched [R2.46 R4.26 R4.27]', async ({ page, root, signInAs }) => {
  const prefix = unique('p')
  for (let made = 0; made < 11; made += 1) {
    await root.call('POST', '/api/user/', { username: `${prefix}${made}`, password: 'a-good-password' })
  }
  await signInAs(root)
  const ahead = page.waitForResponse((answer) => /\/api\/user\/search\?.*p=1/.test(answer.url()))
  await listOf(page, prefix)
  await expect(page.getByText('第 1–10 条，共 11 条')).toBeVisible()
  await (await ahead).finished()
  await page.route('**/api/user/search?**', (route) => route.abort())
  await page.getByRole('button', { name: '第 2 页', exact: true }).click()
  await expect(page.getByText('第 11–11 条，共 11 条')).toBeVisible()
  await expect(page).toHaveURL(/page=2/)
})

test('a row shows name, groups, quota, role and status [R3.01 R4.05 R4.06 R9.05 R9.08 R9.11]', async ({
  page,
  root,
  signInAs,
}) => {
  const user = (id: number, more: object) => ({
    id,
    username: `name${id}`,
    display_name: '',
    role: 1,
    status: 1,
    email: '',
    github_id: '',
    wechat_id: '',
    lark_id: '',
    group: '',
    quota: 700_000,
    used_quota: 0,
    request_count: 12_345,
    aff_code: 'abcd',
    inviter_id: 0,
    created_time: 0,
    ...more,
  })
  await signInAs(root)
  await page.route('**/api/user/?**', (route) =>
    route.fulfill({
      headers: { 'X-Total-Count': '5' },
      json: {
        success: true,
        message: '',
        data: [
          user(1, { username: 'a-name-of-sixteen', group: 'vip,svip,pro,premium,other', email: 'a@example.com' }),
          user(2, { role: 10, status: 2 }),
          user(3, { role: 100 }),
          user(4, { role: 7, status: 9 }),
          user(5, { username: 'fifteen-letters' }),
        ],
      },
    }),
  )
  await page.goto('/user')
  const long = row(page, 'a-name-of-si...')
  await expect(long.getByTitle('a-name-of-sixteen · a@example.com', { exact: true })).toHaveText('a-name-of-si...')
  await expect(long).toContainText('$1.40')
  await expect(long).toContainText('12.3k')
  await expect(long).toContainText('普通用户')
  for (const [name, color] of [
    ['vip', 'yellow'],
    ['pro', 'yellow'],
    ['svip', 'red'],
    ['premium', 'red'],
  ] as const) {
    await expect(long.getByTitle(name, { exact: true })).toHaveAttribute('data-color', color)
  }
  await expect(long.getByTitle('other', { exact: true })).not.toHaveAttribute('data-color')
  await expect(row(page, 'name2')).toContainText('管理员')
  await expect(row(page, 'name2')).toContainText('已封禁')
  await expect(row(page, 'name2')).toContainText('default')
  await expect(row(page, 'name3')).toContainText('超级管理员')
  await expect(row(page, 'name4')).toContainText('未知身份')
  await expect(row(page, 'name4')).toContainText('未知状态')
  await expect(row(page, 'fifteen-letters')).toBeVisible()
})

test('promote, demote, disable and enable update the row from the server’s answer [R2.47 R2.50 R7.19 R8.10]', async ({
  page,
  root,
  signInAs,
}) => {
  const { username } = await root.makeUser()
  await signInAs(root)
  await listOf(page, username)
  const sent = await managed(page, async () => {
    await more(page, username)
    await entry(page, '提升为管理员').click()
  })
  expect(sent.postDataJSON()).toEqual({ username, action: 'promote' })
  await expect(row(page, username)).toContainText('管理员')
  await toasted(page, '操作成功完成')
  await managed(page, async () => {
    await more(page, username)
    await entry(page, '降级为普通用户').click()
  })
  await expect(row(page, username)).toContainText('普通用户')
  // An ordinary user cannot be demoted.
  await more(page, username)
  await expect(entry(page, '提升为管理员')).toBeVisible()
  await expect(entry(page, '降级为普通用户')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await managed(page, () => ban(page, username))
  await expect(row(page, username)).toContainText('已封禁')
  await managed(page, () => page.getByRole('button', { name: `启用用户 ${username}`, exact: true }).click())
  await expect(row(page, username)).toContainText('已激活')
  await answer(page, '**/api/user/manage', { success: true, message: '', data: { role: 10, status: 2 } })
  await ban(page, username)
  await expect(row(page, username)).toContainText('管理员')
})

test('a row is rolled back when the server refuses [R2.50 R7.02]', async ({ page, root, signInAs }) => {
  const { username } = await root.makeUser()
  await signInAs(root)
  await listOf(page, username)
  await answer(page, '**/api/user/manage', { success: false, message: '不行' })
  await ban(page, username)
  await toasted(page, '不行')
  await expect(row(page, username)).toContainText('已激活')
})

test('deleting a user asks for confirmation by name, and the row is hidden [R2.47 R2.49]', async ({
  page,
  root,
  signInAs,
}) => {
  const { username } = await root.makeUser()
  await signInAs(root)
  await listOf(page, username)
  const ask = async () => {
    await more(page, username)
    await entry(page, '删除用户').click()
    return page.getByRole('dialog', { name: `删除用户 ${username}？`, exact: true })
  }
  await (await ask()).getByRole('button', { name: '取消', exact: true }).click()
  await expect(row(page, username)).toBeVisible()
  // The server's own list would still contain the row: only the flag hides it.
  await page.route('**/api/user/search?**', () => {})
  await (await ask()).getByRole('button', { name: '删除用户', exact: true }).click()
  await expect(row(page, username)).toHaveCount(0)
  await toasted(page, '操作成功完成')
})

test('every action is disabled for the super administrator [R2.48 R1.03]', async ({ page, root, signInAs }) => {
  const admin = await root.makeUser({ role: 'admin' })
  await signInAs(admin)
  await listOf(page, 'root')
  await expect(page.getByRole('button', { name: '禁用用户 root', exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: '编辑用户 root', exact: true })).toBeDisabled()
  await more(page, 'root')
  for (const name of ['提升为管理员', '降级为普通用户', '删除用户']) await expect(entry(page, name)).toBeDisabled()
})

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

test('the list is available in English [R0.02]', async ({ page, root, signInAs }) => {
  const { username } = await root.makeUser()
  await inEnglish(page)
  await signInAs(root)
  await listOf(page, username)
  await expect(page.getByRole('heading', { level: 1, name: 'Manage users', exact: true })).toBeVisible()
  await page.getByRole('button', { name: `More actions for ${username}`, exact: true }).click()
  await entry(page, 'Delete user').click()
  await expect(page.getByRole('dialog', { name: `Delete user ${username}?`, exact: true })).toBeVisible()
})

test('a list that cannot be loaded offers a retry', async ({ page, root, signInAs }) => {
  await signInAs(root)
  await page.route('**/api/user/?**', (route) =>
    route.fulfill({ status: 502, json: { success: false, message: 'down' } }),
  )
  await page.goto('/user')
  await expect(page.getByText('加载失败')).toBeVisible()
  await page.unroute('**/api/user/?**')
  await page.getByRole('button', { name: '重试', exact: true }).click()
  await expect(page.getByRole('table')).toBeVisible()
})
