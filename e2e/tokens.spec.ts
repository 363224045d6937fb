import { answered, field, row } from './support/find.ts'
import { answer } from './support/status.ts'
import { expect, test, toasted } from './support/test.ts'
import { typeInOneGo } from './support/typing.ts'

test.beforeEach(async ({ signIn }) => signIn())

test('the list shows the facts of a token [R2.14 R3.15 R4.09 R9.06 R9.08]', async ({ page, api }) => {
  await api.makeToken({ name: 'prod-web', remain_quota: 750_000 })
  await api.makeToken({ name: 'endless', unlimited_quota: true, expired_time: 4_102_444_800 })
  await page.goto('/token')
  await expect(row(page, 'prod-web')).toContainText('已启用')
  await expect(row(page, 'prod-web')).toContainText('$1.50')
  await expect(row(page, 'prod-web')).toContainText('永不过期')
  await expect(row(page, 'endless')).toContainText('无限制')
  await expect(row(page, 'endless')).toContainText('2100-01-01 08:00:00')
  await expect(page.getByText('共 3 个令牌')).toBeVisible()
})

test('a search waits for a pause in typing and is kept in the URL [R2.87 R7.52]', async ({ page, api }) => {
  await api.makeToken({ name: 'needle' })
  await page.clock.install()
  await page.goto('/token')
  await expect(row(page, 'needle')).toBeVisible()
  const searches: string[] = []
  page.on('request', (request) => request.url().includes('/api/token/search') && searches.push(request.url()))
  await typeInOneGo(page, page.getByRole('searchbox'), 'needle')
  await expect(page).toHaveURL(/keyword=needle/)
  await expect(page.getByRole('row')).toHaveCount(2)
  expect(searches).toHaveLength(1)
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('needle')
  await page.getByRole('button', { name: '清空搜索', exact: true }).click()
  await expect(row(page, 'default')).toBeVisible()
  await page.getByRole('searchbox').fill('no such thing')
  await expect(page.getByText('没有匹配的结果')).toBeVisible()
})

test('the list is sorted by remaining or used quota [R2.88 R7.51]', async ({ page, api }) => {
  await api.makeToken({ name: 'small', remain_quota: 1 })
  await api.makeToken({ name: 'large', remain_quota: 9_000_000 })
  await page.goto('/token')
  const asked = page.waitForRequest('**/api/token/?p=0&order=remain_quota')
  await field(page, '排序方式').selectOption({ label: '按剩余额度排序' })
  await asked
  await expect(page).toHaveURL(/order=remain_quota/)
  const names = page.locator('tbody tr td:first-child')
  await expect(names.filter({ hasText: /small|large/ })).toHaveText(['large', 'small'])
  const used = page.waitForRequest('**/api/token/?p=0&order=used_quota')
  await field(page, '排序方式').selectOption({ label: '按已用额度排序' })
  await used
})

test('pages have real totals, and the next one is prefetched [R4.26 R4.27 R9.04]', async ({ page, api }) => {
  for (let made = 0; made < 11; made += 1) await api.makeToken({ name: `t${made}` })
  const ahead = page.waitForResponse('**/api/token/?p=1')
  await page.goto('/token')
  await expect(page.getByText('第 1–10 条，共 12 条')).toBeVisible()
  await (await ahead).finished()
  await page.route('**/api/token/?p=1', (route) => route.abort())
  await page.getByRole('button', { name: '第 2 页', exact: true }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByText('第 11–12 条，共 12 条')).toBeVisible()
})

test('the switch moves at once, and back when the server refuses [R4.10 R7.56]', async ({ page, api }) => {
  const { id } = await api.makeToken({ name: 'switched' })
  await page.goto('/token')
  const toggle = page.getByRole('switch', { name: '启用令牌 switched', exact: true })
  const press = () => answered(page, /\/api\/token\/\?status_only=true$/, () => toggle.click({ force: true }))
  expect((await press()).postDataJSON()).toEqual({ id, status: 2 })
  await expect(row(page, 'switched')).toContainText('已禁用')
  await answer(page, '**/api/token/?status_only=true', { success: false, message: '令牌已过期，请先修改过期时间' })
  await toggle.click({ force: true })
  await toasted(page, '令牌已过期')
  await expect(toggle).not.toBeChecked()
  await expect(row(page, 'switched')).toContainText('已禁用')
})

test('deleting a token asks for confirmation by name [R2.89 R7.57]', async ({ page, api }) => {
  await api.makeToken({ name: 'doomed' })
  await page.goto('/token')
  await page.getByRole('button', { name: '令牌 doomed 的更多操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '删除令牌', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '删除令牌 doomed？', exact: true })
  await dialog.getByRole('button', { name: '取消', exact: true }).click()
  await expect(row(page, 'doomed')).toBeVisible()
  await page.getByRole('button', { name: '令牌 doomed 的更多操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '删除令牌', exact: true }).click()
  await dialog.getByRole('button', { name: '删除令牌', exact: true }).click()
  await expect(row(page, 'doomed')).toHaveCount(0)
})

test('the key is copied with its prefix [R2.90]', async ({ page, api, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { key } = await api.makeToken({ name: 'copied' })
  await page.goto('/token')
  await page.getByRole('button', { name: '复制令牌 copied 的密钥', exact: true }).click()
  await toasted(page, '密钥已复制到剪贴板')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`sk-${key}`)
})

test('a key that cannot be copied is put into the search box [R8.09]', async ({ page, api }) => {
  const { key } = await api.makeToken({ name: 'stubborn' })
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await page.clock.install()
  await page.goto('/token')
  await page.getByRole('button', { name: '复制令牌 stubborn 的密钥', exact: true }).click()
  await toasted(page, '无法复制到剪贴板，请手动复制')
  await expect(page.getByRole('searchbox')).toHaveValue(`sk-${key}`)
  await page.clock.runFor(1000)
  await expect(page).toHaveURL(/\/token$/)
})

test('chat clients open with the key and this server [R2.91]', async ({ page, api, baseURL }) => {
  const { key } = await api.makeToken({ name: 'chatty' })
  await page.goto('/token')
  await page.getByRole('button', { name: '令牌 chatty 的更多操作', exact: true }).click()
  const link = (name: string) => page.getByRole('menuitem', { name, exact: true })
  const settings = encodeURIComponent(JSON.stringify({ key: `sk-${key}`, url: baseURL }))
  await expect(link('NextChat')).toHaveAttribute('href', `https://app.nextchat.dev/#/?settings=${settings}`)
  const server = encodeURIComponent(baseURL ?? '')
  await expect(link('AMA')).toHaveAttribute('href', `ama://set-api-key?server=${server}&key=sk-${key}`)
  await expect(link('OpenCat')).toHaveAttribute('href', `opencat://team/join?domain=${server}&token=sk-${key}`)
})

test('without tokens the page offers to create one', async ({ page, api }) => {
  const { data } = await api.call('GET', '/api/token/?p=0')
  for (const { id } of data) await api.call('DELETE', `/api/token/${id}/`)
  await page.goto('/token')
  await expect(page.getByText('还没有令牌')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: '创建令牌', exact: true }).last().click()
  await expect(page).toHaveURL(/\/token\/add$/)
})

test('on a phone every token is a card with the same facts', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await api.makeToken({ name: 'pocket', remain_quota: 750_000 })
  await page.goto('/token')
  const card = page.getByRole('listitem').filter({ hasText: 'pocket' })
  await expect(card).toContainText('$1.50')
  await expect(card).toContainText('永不过期')
  await expect(card.getByRole('switch')).toBeAttached()
})
