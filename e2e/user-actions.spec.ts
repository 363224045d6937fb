import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { answered, field, row } from './support/find.ts'
import { answer } from './support/status.ts'
import { expect, test, toasted } from './support/test.ts'

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

test('a refund is added once, and the user reads why', async ({ page, root, account, signInAs, signIn }) => {
  await signInAs(root)
  await listOf(page, account.username)
  await more(page, account.username)
  await entry(page, '增加余额').click()
  const dialog = page.getByRole('dialog', { name: `为 ${account.username} 增加余额`, exact: true })
  const send = dialog.getByRole('button', { name: '增加余额', exact: true })
  await field(dialog, '原因').fill('退还昨晚的费用')
  await expect(send).toBeDisabled()
  await expectAccessible(page)
  // What was valid before is not credited in place of what stands there.
  await field(dialog, '金额').fill('7')
  await field(dialog, '金额').fill('7x')
  await send.click()
  await expect(field(dialog, '金额')).toBeFocused()
  await field(dialog, '金额').fill('12.5')
  await answered(page, /\/api\/topup$/, () => send.dblclick())
  await toasted(page, `已为 ${account.username} 增加 $12.50`)
  await expect(dialog).toHaveCount(0)
  await signIn()
  await page.goto('/log?type=1')
  await expect(page.getByRole('row').filter({ hasText: '退还昨晚的费用' })).toHaveCount(1)
  await expect(row(page, '退还昨晚的费用')).toContainText('$12.50')
})

test('every action is disabled for the super administrator [R2.48 R1.03]', async ({ page, root, signInAs }) => {
  const admin = await root.makeUser({ role: 'admin' })
  await signInAs(admin)
  await listOf(page, 'root')
  await expect(page.getByRole('button', { name: '禁用用户 root', exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: '编辑用户 root', exact: true })).toBeDisabled()
  await more(page, 'root')
  for (const name of ['增加余额', '提升为管理员', '降级为普通用户', '删除用户'])
    await expect(entry(page, name)).toBeDisabled()
})
