import type { Locator, Page } from '@playwright/test'

/** Types without a pause that the page could notice, however slow the machine: its clock stands still meanwhile. */
export async function typeInOneGo(page: Page, box: Locator, text: string) {
  await page.clock.pauseAt(Date.now() + 10_000)
  await box.pressSequentially(text)
  await page.clock.resume()
}
