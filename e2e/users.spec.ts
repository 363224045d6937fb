import type { Page } from '@playwright/test'
import { unique } from './support/api.ts'
import { arrived, field, row } from './support/find.ts'
import { expect, inEnglish, test } from './support/test.ts'
import { typeInOneGo } from './support/typing.ts'

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

test('the list is available in English [R0.02]', async ({ page, root, signInAs }) => {
  const { username } = await root.makeUser()
  await inEnglish(page)
  await signInAs(root)
  await listOf(page, username)
  await expect(page.getByRole('heading', { level: 1, name: 'Manage users', exact: true })).toBeVisible()
  await page.getByRole('button', { name: `More actions for ${username}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete user', exact: true }).click()
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
