import { field } from './support/find.ts'
import { pretendToSave, puts, section } from './support/settings.ts'
import { answer } from './support/status.ts'
import { expect, inEnglish, test, toasted } from './support/test.ts'

/* Options belong to the whole site: a test that changes one restores it. */

test.beforeEach(async ({ signInAs, admin }) => signInAs(admin))

test('administrators have four tabs, kept in the URL; others have one [R2.24 R2.51 R6.02]', async ({
  page,
  signIn,
}) => {
  await page.goto('/setting')
  for (const tab of ['运营设置', '系统设置', '其他设置']) {
    await page.getByRole('tab', { name: tab, exact: true }).click()
    await expect(page.getByRole('tab', { name: tab, exact: true })).toHaveAttribute('aria-selected', 'true')
  }
  await expect(page).toHaveURL(/tab=other/)
  await page.reload()
  await expect(section(page, '公告')).toBeVisible()
  await signIn()
  await page.goto('/setting?tab=system')
  await expect(page.getByRole('link', { name: '更新个人信息', exact: true })).toHaveAttribute('href', '/user/edit')
  await expect(page.getByRole('tab')).toHaveCount(0)
})

test('the sections of the operation tab have their own buttons [R2.58 R2.60 R2.61 R2.62 R2.64]', async ({ page }) => {
  await page.goto('/setting?tab=operation')
  for (const [name, button] of [
    ['通用设置', '保存通用设置'],
    ['日志设置', '清理历史日志'],
    ['监控设置', '保存监控设置'],
    ['额度设置', '保存额度设置'],
    ['倍率设置', '保存倍率设置'],
  ] as const) {
    await expect(section(page, name).getByRole('button', { name: button, exact: true })).toBeVisible()
  }
  await expect(page.getByText('单位秒。测试所有渠道时，超过这个时间的渠道会被自动禁用。')).toBeVisible()
  await expect(page.getByText('额度低于这个值时，会发送邮件提醒用户。')).toBeVisible()
  await expect(
    page.getByText('单位为 token：调用没有写明回答上限时，按这么多回答 token 的价格预扣，结束后多退少补。'),
  ).toBeVisible()
})

test('anchors lead to the sections', async ({ page }) => {
  await page.goto('/setting?tab=system#turnstile')
  await expect(section(page, 'Turnstile 用户校验')).toBeInViewport()
  await page
    .getByRole('navigation', { name: '本页内容', exact: true })
    .getByRole('link', { name: 'SMTP 发信', exact: true })
    .click()
  await expect(page).toHaveURL(/tab=system#smtp/)
  await expect(field(section(page, 'SMTP 发信'), 'SMTP 服务器地址')).toBeInViewport()
  // Also one of the last, which has nothing below it to scroll to.
  for (const tab of ['operation', 'system', 'other']) {
    await page.goto(`/setting?tab=${tab}`)
    const links = page.getByRole('navigation', { name: '本页内容', exact: true }).getByRole('link')
    await expect(links.first()).toBeVisible()
    for (const link of await links.all()) {
      await link.click()
      await expect(link).toHaveAttribute('data-here', 'true')
      await expect(links.and(page.locator('[data-here], [aria-current]'))).toHaveCount(1)
    }
  }
})

test('only what changed is sent, one call per option [R2.63 R5.16 R7.33 R7.34 R7.35 R8.10]', async ({ page, root }) => {
  await root.setOption('RetryTimes', '0')
  await page.goto('/setting?tab=operation')
  const general = section(page, '通用设置')
  const save = general.getByRole('button', { name: '保存通用设置', exact: true })
  await expect(save).toBeDisabled()
  const sent = puts(page)
  await field(general, '充值链接').fill('https://pay.example.com')
  await field(general, '失败重试次数').fill('2')
  await expect(field(general, '单位美元额度')).toHaveValue('500,000')
  await save.click()
  await toasted(page, '操作成功完成')
  expect(sent).toEqual([
    { key: 'TopUpLink', value: 'https://pay.example.com' },
    { key: 'RetryTimes', value: '2' },
  ])
  await expect(save).toBeDisabled()
  await root.setOption('TopUpLink', '')
  await root.setOption('RetryTimes', '0')
})

test('numbers have their steps and bounds [R5.16]', async ({ page, root }) => {
  // Another story of this server may have set it.
  await root.setOption('RetryTimes', '0')
  await page.goto('/setting?tab=operation')
  const retries = field(page, '失败重试次数')
  await retries.press('ArrowUp')
  await expect(retries).toHaveValue('1')
  for (let times = 0; times < 3; times += 1) await retries.press('ArrowDown')
  await expect(retries).toHaveValue('0')
  const unit = field(page, '单位美元额度')
  await unit.press('ArrowUp')
  await expect(unit).toHaveValue('500000.01')
})

test('a refused option is named, and the others are saved [R7.35]', async ({ page, root }) => {
  await page.goto('/setting?tab=operation')
  const general = section(page, '通用设置')
  await field(general, '充值链接').fill('ftp://nowhere')
  await field(general, '失败重试次数').fill('3')
  await general.getByRole('button', { name: '保存通用设置', exact: true }).click()
  await toasted(page, '以下设置保存失败：充值链接')
  await expect(field(general, '充值链接')).toHaveAccessibleDescription(
    /「充值链接」的值无效：必须是 http 或 https 网址 /,
  )
  await expect(field(general, '充值链接')).toHaveValue('ftp://nowhere')
  const { data } = await root.call('GET', '/api/option/')
  expect(data).toContainEqual({ key: 'RetryTimes', value: '3' })
  await root.setOption('RetryTimes', '0')
})

test('a switch sends the inverted value at once, and moves back when refused [R3.20 R4.15]', async ({ page, root }) => {
  await page.goto('/setting?tab=operation')
  const toggle = page.getByRole('switch', { name: '以货币形式显示额度', exact: true })
  const sent = puts(page)
  await toggle.click({ force: true })
  await expect(toggle).not.toBeChecked()
  await expect.poll(() => sent).toEqual([{ key: 'DisplayInCurrencyEnabled', value: 'false' }])
  await toggle.click({ force: true })
  await expect.poll(() => sent.length).toBe(2)
  expect(sent[1]).toEqual({ key: 'DisplayInCurrencyEnabled', value: 'true' })
  await page.goto('/setting?tab=system')
  const github = page.getByRole('switch', { name: '允许通过 GitHub 账户登录和注册', exact: true })
  await github.click({ force: true })
  await toasted(page, '请先填写「GitHub Client ID」')
  await expect(github).not.toBeChecked()
  await root.setOption('DisplayInCurrencyEnabled', 'true')
})

test('clearing logs before a date asks for confirmation [R2.59 R7.36 R7.37 R8.06 R8.19]', async ({ page }) => {
  await page.goto('/setting?tab=operation')
  const before = field(page, '清理这个时间之前的日志')
  const monthAgo = await page.evaluate(() => Date.now() - 2_592_000_000)
  const shown = Date.parse(`${(await before.inputValue()).replace(' ', 'T')}+08:00`)
  expect(Math.abs(shown - monthAgo)).toBeLessThan(60_000)

  await before.fill('yesterday')
  await page.getByRole('button', { name: '清理历史日志', exact: true }).click()
  await expect(page.getByText('时间格式错误')).toBeVisible()

  await before.fill('2020-01-01 00:00:00')
  const sent = page.waitForRequest((request) => request.method() === 'DELETE')
  await page.getByRole('button', { name: '清理历史日志', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '清理 2020-01-01 00:00:00 之前的日志？', exact: true })
  await dialog.getByRole('button', { name: '清理历史日志', exact: true }).click()
  expect((await sent).url()).toContain('target_timestamp=1577808000')
  await toasted(page, '日志清理成功，共清理 0 条')

  await answer(page, '**/api/log/?target_timestamp=**', { success: false, message: '数据库忙' })
  // Another date: the same within the time of a double click is taken for one.
  await before.fill('2020-01-02 00:00:00')
  await page.getByRole('button', { name: '清理历史日志', exact: true }).click()
  const another = page.getByRole('dialog', { name: '清理 2020-01-02 00:00:00 之前的日志？', exact: true })
  await another.getByRole('button', { name: '清理历史日志', exact: true }).click()
  await toasted(page, '日志清理失败：数据库忙')
})

test('monitoring is saved by its own button [R2.60]', async ({ page }) => {
  await pretendToSave(page)
  await page.goto('/setting?tab=operation')
  const monitoring = section(page, '监控设置')
  await field(monitoring, '最长响应时间').fill('12.5')
  const sent = puts(page)
  await monitoring.getByRole('button', { name: '保存监控设置', exact: true }).click()
  await expect.poll(() => sent).toEqual([{ key: 'ChannelDisableThreshold', value: '12.5' }])
})

test('unsaved input is not discarded without a confirmation', async ({ page }) => {
  await page.goto('/setting?tab=other')
  await field(page, '系统名称').fill('Half typed')
  await page
    .getByRole('navigation', { name: '本页内容', exact: true })
    .getByRole('link', { name: '页脚', exact: true })
    .click()
  await expect(page).toHaveURL(/#footer/)
  await page.getByRole('tab', { name: '系统设置', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '放弃未保存的修改？', exact: true })
  await dialog.getByRole('button', { name: '继续编辑', exact: true }).click()
  await expect(field(page, '系统名称')).toHaveValue('Half typed')
  await page.getByRole('tab', { name: '系统设置', exact: true }).click()
  await dialog.getByRole('button', { name: '放弃修改', exact: true }).click()
  await expect(section(page, 'SMTP 发信')).toBeVisible()
})

test('a failed load offers a retry, and few calls are made', async ({ page }) => {
  await answer(page, '**/api/option/', { success: false, message: '' }, 500)
  await page.goto('/setting?tab=system')
  await expect(page.getByText('加载失败')).toBeVisible()
  await page.unroute('**/api/option/')
  await page.getByRole('button', { name: '重试', exact: true }).click()
  await expect(section(page, 'SMTP 发信')).toBeVisible()
  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/api/') && calls.push(request.url()))
  await page.reload()
  await expect(section(page, 'SMTP 发信')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(3)
})

test('an administrator in English', async ({ page }) => {
  await inEnglish(page)
  await page.goto('/setting?tab=operation')
  await expect(section(page, 'Monitoring')).toContainText(
    'In seconds. Testing all channels disables those that take longer.',
  )
  await page.getByRole('radiogroup', { name: 'How to edit: Group ratio', exact: true }).getByText('JSON').click()
  await field(page, 'Group ratio (JSON)').fill('oops')
  await page.getByRole('button', { name: 'Save ratios', exact: true }).click()
  await expect(page.getByText('Group ratio is not a valid JSON string')).toBeVisible()
})
