import { expectAccessible } from './support/axe.ts'
import { dress, LOOKS, lookName, shoot } from './support/screens.ts'
import { expect, test } from './support/test.ts'

/** An administrator's channels and settings, in both languages, schemes and widths. */
const PATHS = [
  '/channel',
  '/channel/add',
  '/setting',
  '/setting?tab=operation',
  '/setting?tab=system',
  '/setting?tab=other',
  '/about',
  '/chat',
]

const nameOf = (path: string) => path.replace(/\W+/g, '-').replace(/^-|-$/g, '')

for (const look of LOOKS) {
  test(`an administrator's screens are accessible and fit: ${lookName(look)} [R0.02 R2.37]`, async ({
    page,
    root,
    signIn,
  }) => {
    test.slow()
    await root.makeChannel({ name: '一个名字很长很长的渠道用来测试截断与换行的效果', group: 'default,vip,svip' })
    await root.makeChannel({ name: 'azure', type: 3, base_url: 'https://r.openai.azure.com' })
    await signIn(await root.makeUser({ role: 'admin' }))
    await dress(page, look)
    for (const path of PATHS) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      expect(content, `${path} is wider than the window`).toBeLessThanOrEqual(window ?? 0)
      await expectAccessible(page)
      await shoot(page, nameOf(path), look)
    }
  })
}
