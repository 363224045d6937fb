import { expect, type Locator, type Page } from '@playwright/test'

/**
 * After `page.clock.install()`: from here on the page's time passes only by `runFor`, however slow the machine. What the test acts on
 * next must already be usable: on a stopped clock nothing that was fetched would be shown.
 */
export async function stopClock(page: Page, once: Locator) {
  await expect(once).toBeEnabled()
  await page.clock.pauseAt(Date.now() + 10_000)
}

/** Waits on a stopped clock: one millisecond passes before each check, for what the page defers to the next tick. */
export const appears = (page: Page, what: Locator) =>
  expect
    .poll(async () => {
      await page.clock.runFor(1)
      return what.isVisible()
    }, `${what} appears`)
    .toBe(true)
