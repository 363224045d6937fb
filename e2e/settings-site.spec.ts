import { field } from './support/find.ts'
import { pretendToSave, puts, section } from './support/settings.ts'
import { withStatus } from './support/status.ts'
import { expect, inEnglish, test, toasted } from './support/test.ts'

/* Options belong to the whole site: a test that changes one restores it. */

test.beforeEach(async ({ signInAs, admin }) => signInAs(admin))

test('the other tab sets the site name, and the header follows [R1.04 R2.78 R3.22]', async ({ page, root }) => {
  await page.goto('/setting?tab=other')
  await field(page, '系统名称').fill('My Gateway')
  await section(page, '个性化设置').getByText('深色').click()
  const sent = puts(page)
  await page.getByRole('button', { name: '保存个性化设置', exact: true }).click()
  await toasted(page, '操作成功完成')
  expect(sent).toEqual([
    { key: 'SystemName', value: 'My Gateway' },
    { key: 'Theme', value: 'dark' },
  ])
  await expect(page.getByRole('complementary')).toContainText('My Gateway')
  await expect(page).toHaveTitle(/My Gateway/)
  await root.setOption('SystemName', 'Tollgate')
  await root.setOption('Theme', 'auto')
})

test('documents have a live preview that runs nothing [R2.78]', async ({ page }) => {
  await pretendToSave(page)
  await page.goto('/setting?tab=other')
  const sent = puts(page)
  for (const [name, label, button, key] of [
    ['公告', '公告内容', '保存公告', 'Notice'],
    ['首页内容', '首页的内容', '保存首页内容', 'HomePageContent'],
    ['关于', '关于页面的内容', '保存关于', 'About'],
    ['页脚', '页脚的内容', '保存页脚', 'Footer'],
  ] as const) {
    const card = section(page, name)
    await field(card, label).fill('<b>Bold</b><a href="javascript:alert(1)">Click</a><script>alert(2)</script>')
    await expect(card.getByRole('figure').locator('b')).toHaveText('Bold')
    await expect(card.getByRole('figure').getByText('Click')).not.toHaveAttribute('href')
    await expect(card.getByRole('figure').locator('script')).toHaveCount(0)
    await card.getByRole('button', { name: button, exact: true }).click()
    await expect.poll(() => sent.at(-1)?.key).toBe(key)
  }
})

test('updates are checked at the code host [R2.79]', async ({ page }) => {
  const releases = 'https://api.github.com/repos/example/tollgate/releases/latest'
  const release = { tag_name: 'v9.9.9', html_url: 'https://github.com/o/r/releases/v9.9.9', body: '## News' }
  await page.goto('/setting?tab=other')
  const check = page.getByRole('button', { name: '检查更新', exact: true })

  await page.route(releases, (route) => route.abort())
  await check.click()
  await expect(page.getByRole('alert')).toContainText('无法连接到 GitHub')

  await page.unroute(releases)
  await page.route(releases, (route) => route.fulfill({ json: { ...release, tag_name: 'v0.0.1' } }))
  await check.click()
  await expect(page.getByText(/已是最新版本/)).toBeVisible()

  await page.unroute(releases)
  await page.route(releases, (route) => route.fulfill({ json: release }))
  const dialog = page.getByRole('dialog', { name: '新版本：v9.9.9', exact: true })
  // A story is quicker than a double click; a person would just click again.
  await expect(async () => {
    await check.click()
    await expect(dialog).toBeVisible({ timeout: 3000 })
  }).toPass()
  await expect(dialog.getByRole('heading', { name: 'News', exact: true })).toBeVisible()
  await expect(dialog.getByRole('link', { name: '详情', exact: true })).toHaveAttribute('href', release.html_url)
})

test('without a release source the console says so and sends no request', async ({ page }) => {
  await withStatus(page, { releases_repository: '' })
  const outside: string[] = []
  page.on('request', (request) => request.url().includes('github') && outside.push(request.url()))
  await page.goto('/setting?tab=other')
  await expect(section(page, '检查更新')).toContainText('没有配置发布来源')
  await expect(page.getByRole('button', { name: '检查更新', exact: true })).toHaveCount(0)
  await inEnglish(page)
  await page.reload()
  await expect(section(page, 'Updates')).toContainText('No release source is configured')
  expect(outside).toEqual([])
})
