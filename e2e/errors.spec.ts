import { appears, stopClock } from './support/clock.ts'
import { arrived, field } from './support/find.ts'
import { answer } from './support/status.ts'
import { expect, test, toasted, toasts } from './support/test.ts'

const LIST = '**/api/token/?p=0'

const ANSWERS = [
  { status: 429, says: '错误：请求次数过多，请稍后再试', kind: 'error', row: 'R8.01' },
  { status: 500, says: '错误：服务器内部错误，请联系管理员', kind: 'error', row: 'R8.02' },
  { status: 405, says: '本站仅作演示之用，无服务端', kind: 'info', row: 'R8.03' },
  { status: 418, says: '错误：茶壶', kind: 'error', row: 'R8.04' },
] as const

for (const { status, says, kind, row } of ANSWERS) {
  test(`a ${status} shows the catalogue's message, and the page offers a retry [${row}]`, async ({ page, signIn }) => {
    await signIn()
    await answer(page, LIST, { success: false, message: '茶壶' }, status)
    await page.goto('/token')
    await expect(toasts(page).locator(`[data-kind=${kind}]`)).toHaveText(says)
    await page.unroute(LIST)
    await page.getByRole('button', { name: '重试', exact: true }).click()
    await expect(page.getByRole('table')).toBeVisible()
  })
}

test('a failed connection has its own message [R8.05]', async ({ page, signIn }) => {
  await signIn()
  await page.route(LIST, (route) => route.abort())
  await page.goto('/token')
  await toasted(page, '错误：无法连接到服务器，请检查网络或稍后重试')
})

test('a refusal shows the server’s message [R7.01 R7.02]', async ({ page, signIn }) => {
  await signIn()
  await answer(page, LIST, { success: false, message: '今天不行' })
  await page.goto('/token')
  await expect(toasts(page).locator('[data-kind=error]')).toHaveText('今天不行')
})

test('an unreachable server is reported at the start [R8.08]', async ({ page }) => {
  await page.route('**/api/status', (route) => route.abort())
  await page.goto('/login')
  await toasted(page, '无法正常连接至服务器')
})

test('an error stays five seconds, longer under the pointer; it can be closed [R9.01]', async ({ page, account }) => {
  await page.clock.install()
  await page.goto('/login')
  await arrived(page, '登录')
  await stopClock(page, page.getByRole('main').getByRole('button', { name: '登录', exact: true }))
  const toast = toasts(page).locator('[data-kind=error]')
  await answer(page, '**/api/user/login', { success: false, message: '今天不行' })
  const fail = async () => {
    await field(page, '用户名或邮箱地址').fill(account.username)
    await field(page, '密码').fill('wrong')
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await appears(page, toast)
  }
  await fail()
  await page.clock.runFor(4900)
  await expect(toast).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast).toHaveCount(0)
  await fail()
  await toast.hover()
  await page.clock.runFor(20_000)
  await expect(toast).toBeVisible()
  await toast.getByRole('button', { name: '关闭', exact: true }).click()
  await expect(toast).toHaveCount(0)
})

for (const { width, centred } of [
  { width: 600, centred: true },
  { width: 601, centred: false },
]) {
  test(`toasts at ${width} px are ${centred ? 'top-centre' : 'at the right'} [R9.03]`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.route('**/api/status', (route) => route.abort())
    await page.goto('/login')
    await expect(async () => {
      const box = await toasts(page).locator('[data-kind=error]').boundingBox()
      const middle = (box?.x ?? 0) + (box?.width ?? 0) / 2
      // Below the header, or in the lower corner: never over a button.
      expect((box?.y ?? 0) < 120).toBe(centred)
      expect(box?.y).toBeGreaterThan(56)
      expect(Math.abs(middle - width / 2) < 10).toBe(centred)
    }).toPass()
  })
}

test('local storage contains the keys of the specification, and ours [R3.28]', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/token')
  await expect(page.getByRole('table')).toBeVisible()
  await page.getByRole('button', { name: 'Switch to English', exact: true }).click()
  await page.getByRole('button', { name: /Appearance/ }).click()
  const known = ['user', 'status', 'aff', 'quota_per_unit', 'display_in_currency', 'system_name', 'logo', 'footer_html']
  const ours = ['channel_models', 'locale', 'color_scheme']
  const keys = () => page.evaluate(() => Object.keys(localStorage))
  const expected = ['user', 'status', 'quota_per_unit', 'display_in_currency', 'locale', 'color_scheme']
  await expect.poll(keys).toEqual(expect.arrayContaining(expected))
  expect((await keys()).filter((key) => ![...known, ...ours].includes(key))).toEqual([])
})

test('opening the token list makes four calls: its page, the next page, the usage of its keys, and the status [R4.26 R4.27]', async ({
  page,
  api,
  signIn,
}) => {
  for (let made = 0; made < 11; made += 1) await api.makeToken()
  await signIn()
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(pathname + search.replace(/token_ids=.*/, 'token_ids=…'))
  })
  await page.goto('/token')
  await expect(page.getByRole('table')).toBeVisible()
  // The next page is prefetched when the browser is idle.
  await expect
    .poll(() => [...calls].sort())
    .toEqual(['/api/status', '/api/token/?p=0', '/api/token/?p=1', '/api/token/activity?token_ids=…'])
})
