import { unique } from './support/api.ts'
import { idOf, listOf, withChannel } from './support/channels.ts'
import { answered, field, row } from './support/find.ts'
import { answer } from './support/status.ts'
import { expect, test, toasted } from './support/test.ts'

test.beforeEach(async ({ signInAs, admin }) => signInAs(admin))

test('the switch sets 1 or 2 and moves back when the server refuses [R4.08 R7.42]', async ({ page, root }) => {
  const name = unique('switched-')
  // Another channel has the model too; otherwise the switch would ask for confirmation.
  const models = unique('gpt-')
  await root.makeChannel({ models })
  await root.makeChannel({ name, models })
  const id = await idOf(root, name)
  await page.goto(listOf(name))
  const toggle = page.getByRole('switch', { name: `启用渠道 ${name}`, exact: true })
  const press = () => answered(page, /\/api\/channel\/$/, () => toggle.click({ force: true }))
  expect((await press()).postDataJSON()).toEqual({ id, status: 2 })
  await expect(row(page, name)).toContainText('已手动禁用')
  await page.getByRole('button', { name: '已手动禁用', exact: true }).hover()
  await expect(page.getByRole('tooltip')).toHaveText('本渠道被手动禁用')
  expect((await press()).postDataJSON()).toEqual({ id, status: 1 })
  await expect(row(page, name)).toContainText('已启用')
  await answer(page, '**/api/channel/', { success: false, message: '不行' })
  await toggle.click({ force: true })
  await toasted(page, '不行')
  await expect(toggle).toBeChecked()
})

test('disabling the last enabled channel of a model asks for confirmation', async ({ page, root }) => {
  const name = unique('last-')
  const models = unique('gpt-')
  await root.makeChannel({ name, models })
  await page.goto(listOf(name))
  const toggle = page.getByRole('switch', { name: `启用渠道 ${name}`, exact: true })
  await toggle.click({ force: true })
  const dialog = page.getByRole('dialog', { name: `禁用渠道 ${name}？`, exact: true })
  await expect(dialog).toContainText(`${models}（default）`)
  await dialog.getByRole('button', { name: '取消', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(toggle).toBeChecked()
  await toggle.click({ force: true })
  await answered(page, /\/api\/channel\/$/, () => dialog.getByRole('button', { name: '禁用渠道', exact: true }).click())
  await expect(row(page, name)).toContainText('已手动禁用')
})

test('an automatically disabled channel shows why, and can be enabled [R4.07 R4.08]', async ({ page, root }) => {
  const name = unique('broken-')
  await root.makeChannel({ name })
  await withChannel(page, { status: 3, status_reason: '401 invalid key' })
  await page.goto(listOf(name))
  await page.getByRole('button', { name: '已自动禁用', exact: true }).focus()
  await expect(page.getByRole('tooltip')).toHaveText('本渠道被程序自动禁用：401 invalid key')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('switch', { name: `启用渠道 ${name}`, exact: true }).click({ force: true })
  expect((await sent).postDataJSON()).toMatchObject({ status: 1 })
})

test('priority and weight are edited in the list [R2.81 R5.34 R7.42]', async ({ page, root }) => {
  const name = unique('weighed-')
  await root.makeChannel({ name, priority: 1, weight: 1 })
  const id = await idOf(root, name)
  await page.goto(listOf(name))
  const priority = field(page, `渠道 ${name} 的优先级`)
  const weight = field(page, `渠道 ${name} 的权重`)
  const sent: unknown[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON()))

  await priority.fill('12.7')
  await priority.press('Enter')
  await expect.poll(() => sent).toEqual([{ id, priority: 12 }])
  await expect(priority).toHaveValue('12')
  await weight.fill('-5')
  await weight.blur()
  await expect
    .poll(() => sent)
    .toEqual([
      { id, priority: 12 },
      { id, weight: 0 },
    ])
  await expect(weight).toHaveValue('0')

  await priority.fill('')
  await priority.blur()
  await weight.fill('9')
  await weight.press('Escape')
  await weight.blur()
  await expect(priority).toHaveValue('12')
  await expect(weight).toHaveValue('0')
  expect(sent).toHaveLength(2)
  await page.reload()
  await expect(priority).toHaveValue('12')
})

test('deleting a channel asks for confirmation by name [R2.82 R7.43]', async ({ page, root }) => {
  const name = unique('doomed-')
  const only = unique('only-here-')
  await root.makeChannel({ name, models: only })
  await page.goto(listOf(name))
  await page.getByRole('button', { name: `渠道 ${name} 的更多操作`, exact: true }).click()
  await page.getByRole('menuitem', { name: '删除渠道', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `删除渠道 ${name}？`, exact: true })
  await expect(dialog).toContainText(`之后有 1 个模型在分组里不再有已启用的渠道：${only}（default）`)
  await dialog.getByRole('button', { name: '取消', exact: true }).click()
  await expect(row(page, name)).toBeVisible()
  await page.getByRole('button', { name: `渠道 ${name} 的更多操作`, exact: true }).click()
  await page.getByRole('menuitem', { name: '删除渠道', exact: true }).click()
  await dialog.getByRole('button', { name: '删除渠道', exact: true }).click()
  await toasted(page, '渠道已删除')
  await expect(page.getByText('没有匹配的结果')).toBeVisible()
})

test('all disabled channels are deleted and counted [R2.83 R7.44 R8.31]', async ({ page, root }) => {
  await root.call('DELETE', '/api/channel/disabled')
  const word = unique('off-')
  await root.makeChannel({ name: `${word}-a` })
  await root.makeChannel({ name: `${word}-b` })
  await root.call('PUT', '/api/channel/', { id: await idOf(root, `${word}-a`), status: 2 })
  await page.goto(listOf(word))
  await page.getByRole('button', { name: '批量操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '删除禁用渠道', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '删除所有禁用的渠道？', exact: true })
  await dialog.getByRole('button', { name: '删除禁用渠道', exact: true }).click()
  await toasted(page, '已删除 1 个禁用渠道')
  await expect(row(page, `${word}-a`)).toHaveCount(0)
  await expect(row(page, `${word}-b`)).toBeVisible()
})

test('channels are filtered, selected with Shift, and changed together after a preview', async ({
  page,
  root,
  signInAs,
}) => {
  // Only the super administrator can change proxies without entering the keys again.
  await signInAs(root)
  const [word, tag] = [unique('many-'), unique('tag-')]
  const names = ['a', 'b', 'c', 'd'].map((letter) => `${word}-${letter}`)
  for (const name of names) await root.makeChannel({ name, tag, models: `${word}-model`, group: word })
  await root.makeChannel({ name: `${word}-other` })
  await page.goto(`${listOf(word)}&tag=${tag}`)
  await expect(page.getByText('共 4 个渠道，已启用 4 个')).toBeVisible()

  await page.getByRole('checkbox', { name: `选择渠道 ${names[3]}`, exact: true }).click()
  await page.getByRole('checkbox', { name: `选择渠道 ${names[1]}`, exact: true }).click({ modifiers: ['Shift'] })
  await expect(page.getByText('已选 3 个渠道')).toBeVisible()
  await page.getByRole('button', { name: '修改所选渠道', exact: true }).click()
  await page.getByRole('menuitem', { name: '设置权重', exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: '权重', exact: true }).fill('7')
  await page.getByRole('button', { name: '预览', exact: true }).click()
  await expect(page.getByText('所选 3 个渠道中，3 个会改变。')).toBeVisible()
  await expect(page.getByText('权重：0 → 7')).toHaveCount(3)
  await page.getByRole('button', { name: '修改 3 个渠道', exact: true }).click()
  await toasted(page, '3 个渠道已经改变')
  await expect(page.getByText('已选 3 个渠道')).toBeHidden()
  await expect(page.getByRole('textbox', { name: `渠道 ${names[1]} 的权重`, exact: true })).toHaveValue('7')
  await expect(page.getByRole('textbox', { name: `渠道 ${names[0]} 的权重`, exact: true })).toHaveValue('0')

  const dialog = page.getByRole('dialog')
  await page.getByRole('checkbox', { name: `选择渠道 ${names[0]}`, exact: true }).click()
  await page.getByRole('button', { name: '修改所选渠道', exact: true }).click()
  await page.getByRole('menuitem', { name: '添加模型映射', exact: true }).click()
  await dialog.getByRole('button', { name: '添加一行', exact: true }).click()
  await dialog.getByRole('textbox', { name: '调用的模型', exact: true }).fill(`${word}-model`)
  await dialog.getByRole('textbox', { name: '实际请求的模型', exact: true }).fill('o3')
  await page.getByRole('button', { name: '预览', exact: true }).click()
  await expect(page.getByText(`${word}-model 的映射：无 → o3`)).toBeVisible()
  await page.getByRole('button', { name: '修改 1 个渠道', exact: true }).click()
  await expect(page.getByText('已选 1 个渠道')).toBeHidden()

  await page.getByRole('checkbox', { name: `选择渠道 ${names[0]}`, exact: true }).click()
  await page.getByRole('button', { name: '修改所选渠道', exact: true }).click()
  await page.getByRole('menuitem', { name: '设置网络代理', exact: true }).click()
  const address = dialog.getByRole('textbox', { name: '网络代理', exact: true })
  await address.fill('http://127.0.0.1:3128/path')
  await page.getByRole('button', { name: '预览', exact: true }).click()
  await expect(dialog.getByText('代理地址应为 http://、https:// 或 socks5://主机:端口')).toBeVisible()
  await address.fill('http://127.0.0.1:3128')
  await dialog.getByRole('textbox', { name: '代理用户名', exact: true }).fill('bob')
  await page.getByRole('button', { name: '预览', exact: true }).click()
  await expect(page.getByText('网络代理：无 → http://127.0.0.1:3128')).toBeVisible()
  await expect(page.getByText('代理的用户名和密码会改变')).toBeVisible()
  await page.getByRole('button', { name: '修改 1 个渠道', exact: true }).click()
  await expect(page.getByText('已选 1 个渠道')).toBeHidden()

  await page.getByRole('checkbox', { name: `选择渠道 ${names[0]}`, exact: true }).click()
  await page.getByRole('button', { name: '选择符合条件的全部 4 个', exact: true }).click()
  await page.getByRole('button', { name: '修改所选渠道', exact: true }).click()
  await page.getByRole('menuitem', { name: '禁用', exact: true }).click()
  await expect(page.getByText(`${word}-model（${word}）`)).toBeVisible()
  await page.getByRole('button', { name: '修改 4 个渠道', exact: true }).click()
  await expect(page.getByText('共 4 个渠道，已启用 0 个')).toBeVisible()
  await page.getByRole('combobox', { name: '状态', exact: true }).selectOption('1')
  await expect(page).toHaveURL(/status=1/)
  await expect(page.getByRole('paragraph').filter({ hasText: '没有匹配的结果' })).toBeVisible()
})

test('a change is in the audit log with its values before and after, and is undone unless it was changed again', async ({
  page,
  root,
}) => {
  const name = unique('undone-')
  await root.makeChannel({ name, priority: 0 })
  const id = await idOf(root, name)
  const priority = async () => (await root.call('GET', `/api/channel/${id}`)).data.priority
  await root.call('PUT', '/api/channel/', { id, priority: 7 })
  await page.goto(`/audit?keyword=channel:${id}`)
  const changed = page.getByRole('row').filter({ hasText: '渠道 · 修改' })
  await expect(changed).toContainText('priority')
  await expect(changed).toContainText(/修改前 0.*修改后 7/)
  const undo = page.getByRole('button', { name: `撤销对 channel:${id} 的修改`, exact: true })
  const confirmUndo = () => page.getByRole('dialog').getByRole('button', { name: '撤销', exact: true }).click()
  await undo.click()
  await confirmUndo()
  await toasted(page, '修改已撤销')
  expect(await priority()).toBe(0)
  // The undo is the newest entry; the first change can no longer be undone, because its value is not there any more.
  // In a page of its own: a repeat within 300 ms would be dropped as the second half of a double click.
  await page.reload()
  await expect(undo).toHaveCount(2)
  await undo.last().click()
  await confirmUndo()
  await toasted(page, '之后又有人修改过')
  expect(await priority()).toBe(0)

  // Groups and limits of a user as well.
  const { username } = await root.makeUser()
  const { data: people } = await root.call('GET', `/api/user/search?keyword=${username}`)
  const user = people[0].id
  const limited = { rate_limits: { rpm: 500 }, display_name: 'limited' }
  await root.call('PUT', '/api/user/', { id: user, ...limited })
  await page.goto(`/audit?keyword=user:${user}`)
  await page
    .getByRole('button', { name: `撤销对 user:${user} 的修改`, exact: true })
    .first()
    .click()
  await confirmUndo()
  await toasted(page, '修改已撤销')
  const { data: restored } = await root.call('GET', `/api/user/${user}`)
  expect(restored).toMatchObject({ rate_limits: {}, display_name: people[0].display_name })
})
