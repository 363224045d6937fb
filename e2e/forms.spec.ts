import type { Page, Request } from '@playwright/test'
import { unique } from './support/api.ts'
import { field } from './support/find.ts'
import { answer } from './support/status.ts'
import { expect, test, toasted, toasts } from './support/test.ts'

/** The writes that the page sends from now on. Requests about prices, a channel's place and warnings write nothing. */
function writes(page: Page) {
  const sent: Request[] = []
  page.on('request', (request) => {
    const isWrite = request.method() !== 'GET' && !/\/(unpriced|placement|warnings)$/.test(request.url())
    if (request.url().includes('/api/') && isWrite) sent.push(request)
  })
  return sent
}

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

test('a double click and Enter twice create codes, tokens and users once', async ({ page, root, signInAs }) => {
  await signInAs(root)
  const sent = writes(page)

  await page.goto('/redemption/add')
  const codes = unique('r')
  await field(page, '名称').fill(codes)
  await field(page, '生成数量').fill('3')
  await button(page, '创建兑换码').click({ clickCount: 2, delay: 5 })
  await expect(page.getByRole('dialog', { name: '已生成 3 个兑换码', exact: true })).toBeVisible()
  expect((await root.call('GET', `/api/redemption/search?keyword=${codes}`)).data).toHaveLength(3)
  expect(sent.map((request) => request.headers()['idempotency-key'])).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}$/),
  ])

  await page.goto('/token/add')
  const token = unique('t')
  await field(page, '名称').fill(token)
  sent.length = 0
  await field(page, '名称').press('Enter')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/token$/)
  expect(sent).toHaveLength(1)

  await page.goto('/user/add')
  await field(page, '用户名').fill(unique('u'))
  await field(page, '密码').fill('a-good-password')
  sent.length = 0
  await button(page, '创建用户').click({ clickCount: 2, delay: 5 })
  await expect(page).toHaveURL(/\/user$/)
  expect(sent).toHaveLength(1)
})

test('a double click and Enter twice save a channel and a setting once', async ({ page, root, signInAs }) => {
  await signInAs(root)
  const sent = writes(page)
  const channel = unique('c')
  await root.makeChannel({ name: channel })
  const [{ id }] = (await root.call('GET', `/api/channel/search?keyword=${channel}`)).data
  await page.goto(`/channel/edit/${id}`)
  await field(page, '名称').fill(`${channel}x`)
  await button(page, '保存渠道').click({ clickCount: 2, delay: 5 })
  await expect(page).toHaveURL(/\/channel$/)
  expect(sent).toHaveLength(1)

  await page.goto('/setting?tab=operation')
  await field(page, '失败重试次数').fill('3')
  sent.length = 0
  await field(page, '失败重试次数').press('Enter')
  await page.keyboard.press('Enter')
  await toasted(page, '操作成功完成')
  expect(sent).toHaveLength(1)
})

test('a top-up that is clicked twice is credited once and reported once', async ({ page, root, signIn }) => {
  const { data } = await root.call('POST', '/api/redemption/', { name: unique('r'), quota: 500_000, count: 1 })
  await signIn()
  await page.goto('/topup')
  await field(page, '兑换码').fill(data[0])
  await button(page, '兑换').click({ clickCount: 2, delay: 5 })
  await toasted(page, '充值成功')
  await expect(toasts(page).locator('[data-kind=error], [data-kind=warning]')).toHaveCount(0)
})

test('a form is restored after the session has ended, without its secrets', async ({ page, root, signInAs }) => {
  const admin = await root.makeUser({ role: 'admin' })
  await signInAs(admin)
  await page.goto('/channel/add')
  await field(page, '名称').fill('half typed')
  await field(page, '密钥').fill('sk-secret')
  // The form's own requests about the chosen models would notice first that the session has ended.
  const answers = ['/api/channel/unpriced', '/api/route/placement'].map((path) =>
    page.waitForResponse(
      (received) => received.url().endsWith(path) && /"models":\["/.test(received.request().postData() ?? ''),
    ),
  )
  await page.getByRole('button', { name: '填入所有模型', exact: true }).click()
  for (const answer of await Promise.all(answers)) await answer.finished()
  await page.context().clearCookies()
  await button(page, '创建渠道').click()
  await expect(page).toHaveURL(/\/login\?expired=true/)
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('sk-secret')
  await field(page, '用户名或邮箱地址').fill(admin.username)
  await field(page, '密码').fill('wrong')
  await button(page, '登录').click()
  await expect(page.getByText('用户名或密码错误，或账户已被封禁')).toBeVisible()
  await expect(field(page, '密码')).toBeFocused()
  await expect(toasts(page)).toBeEmpty()
  await field(page, '密码').fill(admin.password)
  await button(page, '登录').click()
  await expect(page).toHaveURL(/\/channel\/add$/)
  await expect(field(page, '名称')).toHaveValue('half typed')
  await expect(field(page, '密钥')).toHaveValue('')
  await expect(page.getByText('出于安全考虑，这一项没有保留，请重新填写')).toBeVisible()
})

test('signing out in one tab clears the others', async ({ page, context, signIn }) => {
  await signIn()
  await page.goto('/token')
  const other = await context.newPage()
  await other.goto('/token/add')
  await field(other, '名称').fill('unsaved')
  await page.getByRole('button', { name: /的账户菜单/ }).click()
  await page.getByRole('menuitem', { name: '退出登录', exact: true }).click()
  await expect(other).toHaveURL(/\/login$/)
})

test('a record that does not exist, or may not be seen, is reported as not found', async ({ page, root, signInAs }) => {
  const admin = await root.makeUser({ role: 'admin' })
  await signInAs(admin)
  for (const [path, says] of [
    ['/channel/edit/99999', '渠道不存在'],
    ['/channel/edit/abc', '渠道不存在'],
    ['/token/edit/99999', '令牌不存在'],
    ['/redemption/edit/0', '兑换码不存在'],
    ['/user/edit/99999', '用户不存在'],
    ['/user/edit/1', '无权操作同级或更高级别的用户'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('main').getByText(says)).toBeVisible()
    await expect(page.getByRole('link', { name: '返回列表', exact: true })).toBeVisible()
    await expect(toasts(page)).toBeEmpty()
  }
})

test('without a connection lists and saves report it at once, and nothing is sent later', async ({
  page,
  context,
  signIn,
}) => {
  await signIn()
  await page.goto('/token')
  await page.getByRole('link', { name: '创建令牌', exact: true }).first().click()
  await field(page, '名称').fill(unique('t'))
  // A request that slow mode delays would be sent once there is a connection again.
  await page.unrouteAll({ behavior: 'wait' })
  await context.setOffline(true)
  await button(page, '创建令牌').click()
  await toasted(page, '没有网络连接，请求没有发出')
  const sent = writes(page)
  await context.setOffline(false)
  // Anything sent automatically is sent with the list's own refresh, which the test waits for.
  await page.evaluate(() => fetch('/api/status'))
  expect(sent).toEqual([])
  await button(page, '创建令牌').click()
  await expect(page).toHaveURL(/\/token$/)
  await expect(toasts(page)).not.toContainText('没有网络连接')
})

test('a server error is shown once, and a page whose script cannot be loaded says what to do', async ({
  page,
  signIn,
}) => {
  await signIn()
  await answer(page, '**/api/**', { success: false, message: 'x' }, 500)
  await page.goto('/token')
  await expect(toasts(page).locator('[data-kind]')).toHaveText(['错误：服务器内部错误，请联系管理员'])
  await page.unrouteAll()
  await page.route(/assets\/.*\.(js|css)$/, (route) => route.abort())
  await page.getByRole('link', { name: '日志', exact: true }).click()
  await expect(page.getByText('页面没有加载出来')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(/preload|import/i)
  await expect(button(page, '刷新页面')).toBeVisible()
})

test('numbers are accepted where their meaning is clear, and refused with a message otherwise', async ({
  page,
  signIn,
}) => {
  await signIn()
  await page.goto('/token/add')
  await field(page, '名称').fill('numbers')
  const quota = field(page, '剩余额度')
  for (const [typed, shown] of [
    ['1e9', '$1,000,000,000'],
    ['1,000', '$1,000'],
    ['１２ ０００', '$12,000'],
  ] as const) {
    await quota.fill(typed)
    await quota.blur()
    await expect(quota).toHaveValue(shown)
  }
  const sent = writes(page)
  for (const [typed, says] of [
    ['-5', '不能小于 0'],
    ['12abc', '请输入数字，例如 1000'],
  ] as const) {
    await quota.fill(typed)
    await expect(page.getByText(says)).toBeVisible()
    await button(page, '创建令牌').click()
    await expect(quota).toBeFocused()
    await expect(quota).toHaveValue(typed)
  }
  expect(sent).toEqual([])
})

test('an error of the server is shown at its field', async ({ page, root, account, signInAs }) => {
  await signInAs(root)
  await page.goto('/user/add')
  await field(page, '用户名').fill(account.username)
  await field(page, '密码').fill('a-good-password')
  await button(page, '创建用户').click()
  await expect(page.getByText('用户名已被占用')).toBeVisible()
  await expect(field(page, '用户名')).toBeFocused()
  await expect(toasts(page)).toBeEmpty()
})

for (const width of [1280, 390]) {
  test(`at ${width} px a message covers no button of the page or its header`, async ({ page, admin, signInAs }) => {
    await page.setViewportSize({ width, height: 800 })
    await signInAs(admin)
    for (const path of ['/channel', '/token', '/token/add', '/user']) {
      await page.goto(path)
      await expect(page.getByRole('main').getByRole('button').first()).toBeVisible()
      await answer(page, '**/api/user/logout', { success: false, message: '今天不行' })
      await page.getByRole('button', { name: /的账户菜单/ }).click()
      await page.getByRole('menuitem', { name: '退出登录', exact: true }).click()
      await expect(toasts(page).locator('[data-kind=error]')).toBeVisible()
      const covered = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll('[data-testid=toasts] [data-kind]')].map((toast) =>
          toast.getBoundingClientRect(),
        )
        const buttons = document.querySelectorAll('header :is(a, button), main :is(a, button):not([role=menuitem])')
        return [...buttons]
          .filter((element) => !element.closest('[role=menu], [data-testid=toasts]'))
          .filter((element) => {
            const box = element.getBoundingClientRect()
            return boxes.some(
              (toast) =>
                box.width > 0 &&
                box.left < toast.right &&
                box.right > toast.left &&
                box.top < toast.bottom &&
                box.bottom > toast.top,
            )
          })
          .map((element) => element.textContent || element.getAttribute('aria-label'))
      })
      expect([path, covered]).toEqual([path, []])
    }
  })
}
