import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { type Api, unique } from './support/api.ts'
import { answered, field, row } from './support/find.ts'
import { answer } from './support/status.ts'
import { expect, inEnglish, test, toasted } from './support/test.ts'

const listOf = (page: Page, name: string) => page.goto(`/redemption?keyword=${name}`)

async function makeCode(root: Api, fields: { quota?: number; count?: number } = {}) {
  const name = unique('c')
  const { data: keys } = await root.call('POST', '/api/redemption/', { name, ...fields })
  const { data } = await root.call('GET', `/api/redemption/search?keyword=${name}`)
  return { name, key: String(keys[0]), id: Number(data[0].id) }
}

test.beforeEach(async ({ root, signInAs }) => signInAs(root))

test('an administrator sees the codes and what they are worth [R2.17 R3.18 R4.11 R7.58 R9.06]', async ({
  page,
  root,
  api,
}) => {
  const fresh = await makeCode(root, { quota: 700_000 })
  const used = await makeCode(root)
  const disabled = await makeCode(root)
  await api.call('POST', '/api/user/topup', { key: used.key })
  await root.call('PUT', '/api/redemption/?status_only=true', { id: disabled.id, status: 2 })
  await page.goto('/redemption')
  await expect(row(page, fresh.name)).toContainText('未使用')
  await expect(row(page, fresh.name)).toContainText('$1.40')
  await expect(row(page, fresh.name)).toContainText('尚未兑换')
  await expect(row(page, disabled.name)).toContainText('已禁用')
  await expect(row(page, used.name)).toContainText('已使用')
  await expect(row(page, used.name).getByRole('time')).toHaveCount(2)
  await expect(row(page, used.name).getByRole('time').last()).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
})

test('an unknown status is shown as unknown [R4.11]', async ({ page }) => {
  const code = { id: 1, user_id: 1, name: 'odd', key: 'k', status: 9, quota: 1, created_time: 0, redeemed_time: 0 }
  const unused = { used_user_id: 0, used_username: '' }
  await answer(page, '**/api/redemption/?**', { success: true, message: '', data: [{ ...code, ...unused }] })
  await page.goto('/redemption')
  await expect(row(page, 'odd')).toContainText('未知状态')
})

test('codes are found by id, by name and by the code, and lead to who used them [R2.92 R7.59]', async ({
  page,
  root,
  api,
  account,
}) => {
  const { name, id, key } = await makeCode(root)
  await page.goto('/redemption')
  await page.getByRole('searchbox').fill(name)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('searchbox').fill(String(id))
  await expect(page).toHaveURL(new RegExp(`keyword=${id}$`))
  await expect(row(page, name)).toBeVisible()
  await page.getByRole('searchbox').fill('no such code')
  await expect(page.getByText('没有匹配的结果')).toBeVisible()
  await api.call('POST', '/api/user/topup', { key })
  await page.getByRole('searchbox').fill(key)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByLabel('状态', { exact: true }).selectOption('未使用')
  await expect(page.getByText('没有匹配的结果')).toBeVisible()
  await page.getByLabel('状态', { exact: true }).selectOption('已使用')
  await expect(page).toHaveURL(/status=3/)
  await row(page, name).getByRole('link', { name: account.username, exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/user\\?keyword=${account.username}$`))
})

test('codes are paged with their total [R4.26]', async ({ page, root }) => {
  const { name } = await makeCode(root, { count: 11 })
  await listOf(page, name)
  await expect(page.getByText('第 1–10 条，共 11 条')).toBeVisible()
  await page.getByRole('button', { name: '第 2 页', exact: true }).click()
  await expect(page.getByText('第 11–11 条，共 11 条')).toBeVisible()
})

test('the switch sets 1 or 2, rolls back, and is disabled for a used code [R4.12 R7.64]', async ({
  page,
  root,
  api,
}) => {
  const { name, id, key } = await makeCode(root)
  await listOf(page, name)
  const toggle = page.getByRole('switch', { name: `启用兑换码 ${name}`, exact: true })
  const press = () => answered(page, /\/api\/redemption\/\?status_only=true$/, () => toggle.click({ force: true }))
  expect((await press()).postDataJSON()).toEqual({ id, status: 2 })
  await expect(row(page, name)).toContainText('已禁用')
  await press()
  await expect(row(page, name)).toContainText('未使用')
  await answer(page, '**/api/redemption/?status_only=true', { success: false, message: '不行' })
  await toggle.click({ force: true })
  await toasted(page, '不行')
  await expect(toggle).toBeChecked()
  await api.call('POST', '/api/user/topup', { key })
  await page.reload()
  await expect(toggle).toBeDisabled()
})

test('a code is copied, or put into the search box [R8.09]', async ({ page, root, context }) => {
  const { name, key } = await makeCode(root)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await listOf(page, name)
  await page.getByRole('button', { name: `复制兑换码 ${name}`, exact: true }).click()
  await toasted(page, '兑换码已复制到剪贴板')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await page.getByRole('button', { name: `复制兑换码 ${name}`, exact: true }).click()
  await toasted(page, '无法复制到剪贴板，请手动复制')
  await expect(page.getByRole('searchbox')).toHaveValue(key)
})

test('deleting a code asks for confirmation by name [R2.93 R7.65]', async ({ page, root }) => {
  const { name } = await makeCode(root)
  await listOf(page, name)
  await page.getByRole('button', { name: `兑换码 ${name} 的更多操作`, exact: true }).click()
  await page.getByRole('menuitem', { name: '删除兑换码', exact: true }).click()
  await page
    .getByRole('dialog', { name: `删除兑换码 ${name}？`, exact: true })
    .getByRole('button', { name: '删除兑换码', exact: true })
    .click()
  await toasted(page, '兑换码已删除')
  await expect(row(page, name)).toHaveCount(0)
})

test('codes are created, downloaded as a file and shown [R2.18 R5.52 R5.53 R7.61 R7.62 R8.28]', async ({ page }) => {
  await page.goto('/redemption/add')
  await expect(field(page, '额度')).toHaveValue('$0.2')
  await expect(page.getByText('合 100,000 点额度')).toBeVisible()
  await expect(field(page, '生成数量')).toHaveValue('1')
  await page.getByRole('button', { name: '创建兑换码', exact: true }).click()
  await expect(page.getByText('请输入名称')).toBeVisible()
  await expect(field(page, '名称')).toBeFocused()
  await field(page, '名称').fill('a/b:活动')
  await field(page, '额度').fill('0.5')
  await field(page, '生成数量').fill('3')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: '创建兑换码', exact: true }).click()
  expect((await sent).postDataJSON()).toEqual({ name: 'a/b:活动', quota: 250_000, count: 3 })
  const file = await downloaded
  expect(file.suggestedFilename()).toBe('a_b_活动.txt')
  const codes = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n')
  expect(codes).toHaveLength(3)
  await toasted(page, '兑换码创建成功')
  const dialog = page.getByRole('dialog', { name: '已生成 3 个兑换码', exact: true })
  await expect(field(dialog, '兑换码，每行一个')).toHaveValue(codes.join('\n'))
  await dialog.getByRole('button', { name: '返回列表', exact: true }).click()
  await expect(page).toHaveURL(/\/redemption$/)
  await expect(row(page, 'a/b:活动')).toHaveCount(3)
})

test('the codes of the dialog can be copied [R2.18]', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/redemption/add')
  await field(page, '名称').fill(unique('d'))
  await page.getByRole('button', { name: '创建兑换码', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '已生成 1 个兑换码', exact: true })
  await dialog.getByRole('button', { name: '全部复制', exact: true }).click()
  await toasted(page, '已复制到剪贴板')
  const shown = await field(dialog, '兑换码，每行一个').inputValue()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown)
})

test('a code is edited; the number of codes is a field only on creation [R2.19 R7.60 R7.63 R8.29]', async ({
  page,
  root,
}) => {
  const { name, id } = await makeCode(root)
  await page.goto(`/redemption/edit/${id}`)
  await expect(field(page, '名称')).toHaveValue(name)
  await expect(field(page, '生成数量')).toHaveCount(0)
  await field(page, '额度').fill('1')
  await expect(page.getByText('合 500,000 点额度')).toBeVisible()
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: '保存兑换码', exact: true }).click()
  expect((await sent).postDataJSON()).toEqual({ id, quota: 500_000 })
  await toasted(page, '兑换码更新成功')
  await expect(page).toHaveURL(/\/redemption$/)
})

test('a used code is read-only', async ({ page, root, api }) => {
  const { id, key } = await makeCode(root)
  await api.call('POST', '/api/user/topup', { key })
  await page.goto(`/redemption/edit/${id}`)
  await expect(page.getByText('这个兑换码已经被使用，不能再修改。')).toBeVisible()
  await expect(field(page, '名称')).toBeDisabled()
})

test('codes can be created in English, too [R0.02]', async ({ page }) => {
  await inEnglish(page)
  await page.goto('/redemption/add')
  await field(page, 'Name').fill(unique('e'))
  await page.getByRole('button', { name: 'Create redemption codes', exact: true }).click()
  await toasted(page, 'Redemption codes created')
  await expect(page.getByRole('dialog', { name: '1 code created', exact: true })).toBeVisible()
})
