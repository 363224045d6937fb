import { expectToFit, LOCALES, setLocale } from './support/screens.ts'
import { withStatus } from './support/status.ts'
import { expect, test } from './support/test.ts'

/** Screens of visitors and of one signed-in user, in both languages, schemes and widths. */
const VISITOR = [
  '/login',
  '/login?expired=true',
  '/register',
  '/reset',
  '/user/reset?email=a@example.com&token=t',
  '/nowhere',
]
const USER = ['/token', '/token/add', '/channel']

const nameOf = (path: string) => path.replace(/\W+/g, '-').replace(/^-|-$/g, '')

for (const locale of LOCALES) {
  test(`visitors' screens are accessible and fit: ${locale} [R0.02]`, async ({ page }) => {
    await setLocale(page, locale)
    for (const path of VISITOR) {
      await page.goto(path)
      await expect(page.getByRole('main')).toBeVisible()
      await expectToFit(page, nameOf(path), locale)
    }
  })

  test(`a user's screens are accessible and fit: ${locale} [R0.02]`, async ({ page, api, signIn }) => {
    await api.makeToken({ name: 'prod-web', unlimited_quota: true })
    await api.makeToken({ name: '中文名称的令牌用来测试截断效果与换行' })
    await signIn()
    // With every field that a form can have.
    await withStatus(page, { recording: { share: 100, days: 7, size: 256 } })
    await setLocale(page, locale)
    for (const path of USER) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      await expectToFit(page, nameOf(path), locale)
    }
  })
}
