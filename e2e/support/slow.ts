import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

/** The browser's slowdown factor: `npm run e2e -- --slow` finds tests that rely on a fast one. */
export const SLOWNESS = process.env.E2E_SLOW === undefined ? 1 : 6

/** Longer than any debounce of the console, so that answers arrive in every order. */
const LATENCY_MS = 400

/**
 * Throttles every page of every context created from now on, including those that a test or a page opens itself, shortly after it
 * was opened. Returns a function that stops it.
 */
export function slowDown(browser: Browser, rate = SLOWNESS) {
  const watch = (context: BrowserContext) =>
    context.on('page', (page) =>
      throttle(page, rate).catch((error: unknown) => {
        // A page that was closed at once needs no throttling.
        if (!page.isClosed()) throw error
      }),
    )
  browser.on('context', watch)
  return () => browser.off('context', watch)
}

/** One for each page: a page with two takes the rate of either when it goes to another site. */
const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** It belongs to the page, not to its renderer, so it also applies after navigation to another site. */
export async function throttle(page: Page, rate = SLOWNESS) {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  await (await session).send('Emulation.setCPUThrottlingRate', { rate })
}

/** For what takes long and does not depend on speed. */
export async function atFullSpeed<T>(page: Page, work: () => Promise<T>): Promise<T> {
  if (SLOWNESS === 1) return work()
  await throttle(page, 1)
  const result = await work()
  await throttle(page)
  return result
}

/** Except for what a test answers itself. */
export const delayAnswers = (page: Page) =>
  page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATENCY_MS))
    await route.fallback().catch((error: unknown) => {
      // Who left does not wait for an answer.
      if (!page.isClosed()) throw error
    })
  })
