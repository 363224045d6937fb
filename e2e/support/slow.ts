import type { Browser, Page } from '@playwright/test'

/** How many times slower than the machine the browser runs: `npm run e2e -- --slow` finds stories that count on a quick one. */
export const SLOWNESS = process.env.E2E_SLOW === undefined ? 1 : 6

/** Every page of every context, also those that a story or a page opens itself; each a moment after it was opened. */
export function slowDown(browser: Browser) {
  browser.on('context', (context) => context.on('page', throttle))
}

export async function throttle(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS })
}
