import { expect, type Locator, type Page } from '@playwright/test'

/** After `page.clock.install()`: from here on the page's time passes only by `runFor`, however slow the machine. */
export const stopClock = (page: Page) => page.clock.pauseAt(Date.now() + 10_000)

/** Waits on a stopped clock: before each look one millisecond passes, for what the page puts off until the next tick. */
export const appears = (page: Page, what: Locator) =>
  expect
    .poll(async () => {
      await page.clock.runFor(1)
      return what.isVisible()
    }, `${what} appears`)
    .toBe(true)
