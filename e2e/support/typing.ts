import type { Locator, Page } from '@playwright/test'
import { stopClock } from './clock.ts'

/** Types without a pause that the page could notice, however slow the machine: the page's clock is paused meanwhile. */
export async function typeInOneGo(page: Page, box: Locator, text: string) {
  await stopClock(page, box)
  await box.pressSequentially(text)
  await page.clock.resume()
}
