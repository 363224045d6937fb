import { arrived, field } from './support/find.ts'
import { expect, inEnglish, test, toasted, toasts } from './support/test.ts'

test.beforeEach(async ({ signIn }) => signIn())

test('a token is created with its defaults [R2.15 R3.14 R5.24 R5.25 R7.54 R8.25]', async ({ page }) => {
  await page.goto('/token/add')
  await expect(field(page, '剩余额度')).toHaveValue('$1')
  await expect(page.getByText('合 500,000 点额度')).toBeVisible()
  await field(page, '名称').fill('first')
  const sent = page.waitForRequest('**/api/token/')
  await page.getByRole('button', { name: '创建令牌', exact: true }).click()
  expect((await sent).postDataJSON()).toEqual({
    name: 'first',
    remain_quota: 500_000,
    unlimited_quota: false,
    expired_time: -1,
    models: '',
    subnet: '',
    rate_limits: {},
    fallback: true,
    recording: null,
  })
  await expect(page).toHaveURL(/\/token$/)
  await toasted(page, '令牌创建成功，请在列表页面点击复制获取令牌')
})

test('without a name nothing is sent and no message shown [R5.22]', async ({ page }) => {
  await page.goto('/token/add')
  await page.getByRole('button', { name: '创建令牌', exact: true }).click()
  await expect(field(page, '名称')).toBeFocused()
  await expect(toasts(page)).toBeEmpty()
  await expect(page).toHaveURL(/\/token\/add$/)
})

test('quick buttons set the expiry [R5.24 R5.27]', async ({ page }) => {
  await page.clock.setFixedTime('2026-03-09T08:05:00+08:00')
  await page.goto('/token/add')
  const expiry = field(page, '过期时间')
  for (const [name, value] of [
    ['一个月后', '2026-04-08 08:05:00'],
    ['一天后', '2026-03-10 08:05:00'],
    ['一小时后', '2026-03-09 09:05:00'],
    ['一分钟后', '2026-03-09 08:06:00'],
    ['永不过期', ''],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click()
    await expect(expiry).toHaveValue(value)
  }
})

test('an invalid expiry date is refused [R5.23]', async ({ page }) => {
  await page.goto('/token/add')
  await field(page, '名称').fill('dated')
  await field(page, '过期时间').fill('next week')
  await page.getByRole('button', { name: '创建令牌', exact: true }).click()
  await expect(page.getByText('过期时间格式错误')).toBeVisible()
  await expect(field(page, '过期时间')).toBeFocused()
})

test('a date is picked in the calendar', async ({ page }) => {
  await page.clock.setFixedTime('2026-03-09T08:05:00+08:00')
  await page.goto('/token/add')
  await page.getByRole('button', { name: '选择日期', exact: true }).click()
  await page.getByRole('button', { name: /20 三月 2026|2026.*3.*20|20 March 2026/ }).click()
  await expect(field(page, '过期时间')).toHaveValue('2026-03-20 08:05:00')
})

test('models are chosen from those the user may call, and joined [R3.16 R5.26 R7.22]', async ({ page, root }) => {
  await root.makeChannel({ models: 'gpt-4o-mini,claude-test' })
  await page.goto('/token/add')
  await field(page, '名称').fill('limited')
  await page.getByRole('combobox', { name: '模型范围', exact: true }).click()
  await page.getByRole('option', { name: 'claude-test', exact: true }).click()
  // Enter selects the highlighted option; it submits the form only when no list is open.
  await page.keyboard.type('gpt-4o-mini')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await field(page, 'IP 限制').fill('10.0.0.0/8, 192.168.0.0/24')
  const sent = page.waitForRequest('**/api/token/')
  await page.getByRole('button', { name: '创建令牌', exact: true }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    models: 'claude-test,gpt-4o-mini',
    subnet: '10.0.0.0/8,192.168.0.0/24',
  })
})

test('a token is edited, and only the difference of its quota is applied [R2.16 R7.53 R7.55]', async ({
  page,
  api,
  root,
}) => {
  // A model for which a small quota is enough.
  await root.makeChannel({ models: 'gpt-4o-mini' })
  const { id } = await api.makeToken({ name: 'before', remain_quota: 1000, expired_time: 4_102_444_800 })
  await page.goto(`/token/edit/${id}`)
  await expect(field(page, '名称')).toHaveValue('before')
  await expect(field(page, '过期时间')).toHaveValue('2100-01-01 08:00:00')
  await field(page, '名称').fill('after')
  await field(page, '剩余额度').fill('0.004')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: '保存令牌', exact: true }).click()
  expect((await sent).postDataJSON()).toMatchObject({ id, name: 'after', remain_quota: 2000, remain_quota_base: 1000 })
  await toasted(page, '令牌更新成功')
  await expect(page.getByRole('row').filter({ hasText: 'after' })).toBeVisible()
})

test('leaving a changed form asks for confirmation', async ({ page }) => {
  await page.goto('/token/add')
  await field(page, '名称').fill('half')
  await page.getByRole('link', { name: '日志', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '放弃未保存的修改？', exact: true })
  await dialog.getByRole('button', { name: '继续编辑', exact: true }).click()
  await expect(field(page, '名称')).toHaveValue('half')
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await dialog.getByRole('button', { name: '放弃修改', exact: true }).click()
  await expect(page).toHaveURL(/\/token$/)
})

test('a token is created by keyboard alone, in English', async ({ page }) => {
  await inEnglish(page)
  await page.goto('/token')
  await expect(page.getByRole('table')).toBeVisible()
  await page.getByRole('link', { name: 'New token', exact: true }).focus()
  await page.keyboard.press('Enter')
  await arrived(page, 'New token')
  await field(page, 'Name').focus()
  await page.keyboard.type('typed')
  await page.keyboard.press('Enter')
  await toasted(page, 'Token created, click copy in the list to get it')
  await expect(page.getByRole('row').filter({ hasText: 'typed' })).toBeVisible()
})
