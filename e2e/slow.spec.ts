import type { Page } from '@playwright/test'
import { slowDown } from './support/slow.ts'
import { expect, test } from './support/test.ts'

/** An address whose page has nothing to do. */
const LIGHT = '/api/status'

/** How many milliseconds the same piece of work takes in a page, at best. */
const workTime = (page: Page) =>
  page.evaluate(() => {
    const once = () => {
      const started = performance.now()
      let sum = 0
      for (let n = 0; n < 4_000_000; n++) sum = (sum + n) % 7
      // The sum is used, so that the work is not optimised away.
      return performance.now() - started + (sum < 0 ? 1 : 0)
    }
    return Math.min(once(), once(), once(), once())
  })

test('a slowed browser is slow on every page, also on another site and in a page that it opened', async ({
  page,
  browser,
  server,
}) => {
  await page.goto(LIGHT)
  const usual = await workTime(page)
  const stop = slowDown(browser, 20)
  const context = await browser.newContext({ baseURL: server.url })
  const slowed = await context.newPage()
  const expectSlow = (where: Page) => expect.poll(() => workTime(where)).toBeGreaterThan(usual * 4)
  // Another name is another site, and another renderer.
  for (const address of [LIGHT, server.url.replace('127.0.0.1', 'localhost') + LIGHT, LIGHT]) {
    await slowed.goto(address)
    await expectSlow(slowed)
  }
  const opening = slowed.waitForEvent('popup')
  await slowed.evaluate(() => void window.open('/api/status'))
  await expectSlow(await opening)
  stop()
  await context.close()
})
