import { expect, type Locator, type Page } from '@playwright/test'
import { escaped } from './escaped.ts'

/*
 * Playwright matches names by part unless told otherwise, and "Name" is a part of many names: of the search box of the
 * page before, for example, which is still there while the next page loads. `npm run check` insists on whole names.
 */

/** What is filled in under this label, hidden or not; the star of a required field is no part of its label. */
export const field = (where: Page | Locator, label: string) =>
  where.getByLabel(new RegExp(`^${escaped(label)}( \\*)?$`)).and(where.locator('input, textarea, select'))

/** Waits for the page of this title. The address changes before it, while the page before can still be typed into. */
export const arrived = (page: Page, title: string) =>
  expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()

/** Scrolls down until this is there: what is further down is fetched only when it comes into view. */
export const scrollTo = (page: Page, what: Locator) =>
  expect(async () => {
    await page.mouse.wheel(0, 3000)
    await expect(what).toBeAttached({ timeout: 1000 })
  }).toPass()

/** Acts, and waits until the server has answered: a row shows what it will become before that. */
export async function answered(page: Page, path: RegExp, act: () => Promise<void>) {
  const response = page.waitForResponse((heard) => heard.request().method() !== 'GET' && path.test(heard.url()))
  await act()
  await (await response).finished()
  return (await response).request()
}

/** What the page has put into the local storage. */
export const expectStored = (page: Page, key: string) =>
  expect.poll(() => page.evaluate((name) => localStorage.getItem(name), key), `local storage: ${key}`)
