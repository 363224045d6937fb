import { expect, type Locator, type Page } from '@playwright/test'
import { escaped } from './escaped.ts'

/*
 * Playwright matches names by substring unless told otherwise, and "Name" is part of many names: of the previous page's search box,
 * for example, which is still there while the next page loads. `npm run check` requires whole names.
 */

/** The field with this label, hidden or not; the star of a required field is not part of its label. */
export const field = (where: Page | Locator, label: string) =>
  where.getByLabel(new RegExp(`^${escaped(label)}( \\*)?$`)).and(where.locator('input, textarea, select'))

/** The row of a table, or the card of a phone, that shows this text. */
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Waits for the page with this title. The URL changes before it, while the previous page can still be typed into. */
export const arrived = (page: Page, title: string) =>
  expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()

/** Scrolls down until this appears: content further down is fetched only when it comes into view. */
export const scrollTo = (page: Page, what: Locator) =>
  expect(async () => {
    await page.mouse.wheel(0, 3000)
    await expect(what).toBeAttached({ timeout: 1000 })
  }).toPass()

/** Acts, and waits for the server's answer: a row shows its new state before that. */
export async function answered(page: Page, path: RegExp, act: () => Promise<void>) {
  const response = page.waitForResponse(
    (received) => received.request().method() !== 'GET' && path.test(received.url()),
  )
  await act()
  await (await response).finished()
  return (await response).request()
}

/** What the page has written to local storage. */
export const expectStored = (page: Page, key: string) =>
  expect.poll(() => page.evaluate((name) => localStorage.getItem(name), key), `local storage: ${key}`)
