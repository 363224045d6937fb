import type { Locator, Page } from '@playwright/test'
import { stopClock } from './clock.ts'

/** Types without a noticeable pause, however slow the machine: the page's clock stands still meanwhile. */
export async function typeInOneGo(page: Page, box: Locator, text: string) {
  await stopClock(page, box)
  await box.pressSequentially(text)
  await page.clock.resume()
}
