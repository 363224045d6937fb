import { expectToFit, LOCALES } from './support/screens.ts'
import { expect, inEnglish, test } from './support/test.ts'

test('the guide is linked from the user menu, the footer and the about page, in the chosen language', async ({
  page,
  signInAs,
  admin,
}) => {
  await page.goto('/about')
  await page.getByRole('link', { name: '查看使用指南', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Tollgate 使用指南', level: 1, exact: true })).toBeVisible()
  await inEnglish(page)
  await signInAs(admin)
  await page.goto('/token')
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Guide', exact: true })).toHaveAttribute(
    'href',
    '/docs/guide/en',
  )
  await page.getByRole('button', { name: /^Account menu for/ }).click()
  const opened = page.waitForEvent('popup')
  await page.getByRole('menuitem', { name: 'Guide', exact: true }).click()
  await expect((await opened).getByRole('heading', { name: 'Tollgate guide', level: 1, exact: true })).toBeVisible()
})

test('the guide can be read page by page, in the other language, and an unknown page leads back', async ({ page }) => {
  await page.goto('/docs/guide/en')
  await page.getByRole('main').getByRole('link', { name: 'First steps', exact: true }).click()
  await page.getByRole('link', { name: 'Next Every screen', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Every screen', level: 1, exact: true })).toBeVisible()
  await page.getByRole('link', { name: '中文', exact: true }).click()
  await expect(page.getByRole('heading', { name: '页面一览', level: 1, exact: true })).toBeVisible()
  await page.goto('/docs/guide/zh/nowhere')
  await page.getByRole('main').getByRole('link', { name: '目录', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Tollgate 使用指南', level: 1, exact: true })).toBeVisible()
})

for (const locale of LOCALES) {
  test(`the guide is accessible and fits the screen: ${locale}`, async ({ page }) => {
    for (const name of ['billing', 'settings', 'proxy', 'first-steps']) {
      await page.goto(`/docs/guide/${locale === 'en' ? 'en' : 'zh'}/${name}`)
      await expectToFit(page, `guide-${name}`, locale)
    }
  })
}
