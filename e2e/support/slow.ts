import type { Browser, BrowserContext, Page } from '@playwright/test'

/** How many times slower than the machine the browser runs: `npm run e2e -- --slow` finds stories that count on a quick one. */
export const SLOWNESS = process.env.E2E_SLOW === undefined ? 1 : 6

/** Longer than any pause that the console waits for in somebody's typing, so that answers come in every order. */
const LATENCY_MS = 400

/**
 * Every page of every context that is made from now on, also those that a story or a page opens itself; each a moment after
 * it was opened. Answers how to stop that.
 */
export function slowDown(browser: Browser, rate = SLOWNESS) {
  const watch = (context: BrowserContext) =>
    context.on('page', (page) =>
      throttle(page, rate).catch((error: unknown) => {
        // One that was closed at once needs no slowing down.
        if (!page.isClosed()) throw error
      }),
    )
  browser.on('context', watch)
  return () => browser.off('context', watch)
}

/** It belongs to the page, not to its renderer: it holds wherever the page goes, also to another site. */
export async function throttle(page: Page, rate = SLOWNESS) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Except for what a story answers itself. */
export const delayAnswers = (page: Page) =>
  page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATENCY_MS))
    await route.fallback().catch((error: unknown) => {
      // Who left does not wait for an answer.
      if (!page.isClosed()) throw error
    })
  })
