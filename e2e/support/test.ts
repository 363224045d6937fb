import { test as base, expect, type Page } from '@playwright/test'
import { type Account, type Api, ROOT_ACCOUNT, signedInApi, unique } from './api.ts'
import { startServer, type TestServer } from './server.ts'
import { delayAnswers, SLOWNESS, slowDown, throttle } from './slow.ts'
import { recordToasts, toasted, toasts } from './toasts.ts'

interface WorkerFixtures {
  server: TestServer
  /** The management API as root. */
  root: Api
  /** The same as an administrator, for tests that do not change that account. */
  admin: Api
}

interface Fixtures {
  /** An ordinary account used only by this test. */
  account: Account
  /** The management API as that account. */
  api: Api
  /** Signs the page in as that account, without the login form. */
  signIn: () => Promise<void>
  /** Signs the page in as another account. */
  signInAs: (who: Api | Account) => Promise<void>
  /** Fails the test when the page threw an error or violated the content security policy. */
  noComplaints: undefined
  /** The record behind `toasted`. */
  toastRecord: undefined
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  browser: [
    async ({ browser }, use) => {
      if (SLOWNESS > 1) slowDown(browser)
      await use(browser)
    },
    { scope: 'worker' },
  ],
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      const server = await startServer({
        ROOT_PASSWORD: ROOT_ACCOUNT.password,
        RELEASES_REPOSITORY: 'example/tollgate',
      })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  root: [
    async ({ server }, use) => {
      const api = await signedInApi(server.url, ROOT_ACCOUNT)
      await use(api)
      await api.dispose()
    },
    { scope: 'worker' },
  ],
  admin: [
    async ({ server, root }, use) => {
      const api = await signedInApi(server.url, await root.makeUser({ role: 'admin' }))
      await use(api)
      await api.dispose()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  page: async ({ page }, use) => {
    if (SLOWNESS > 1) await Promise.all([throttle(page), delayAnswers(page)])
    await use(page)
    // A request that is still being answered when the test ends is not a failure.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  account: async ({ root }, use) => use(await root.makeUser()),
  api: async ({ server, account }, use) => {
    const api = await signedInApi(server.url, account)
    await use(api)
    await api.dispose()
  },
  signIn: async ({ page, api }, use) => use(() => enter(page, api)),
  signInAs: async ({ page, server }, use) => {
    const opened: Api[] = []
    await use(async (who) => {
      if ('session' in who) return enter(page, who)
      const api = await signedInApi(server.url, who)
      opened.push(api)
      await enter(page, api)
    })
    for (const api of opened) await api.dispose()
  },
  noComplaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (/content security policy/i.test(message.text())) complaints.push(message.text())
      })
      await use(undefined)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
  toastRecord: [
    async ({ page }, use) => {
      await recordToasts(page)
      await use(undefined)
    },
    { auto: true },
  ],
})

export { expect, toasted, toasts }

/** The cookie comes from the server's own answer; the user is stored where the login form would have put it. */
async function enter(page: Page, api: Api) {
  const { user, cookies } = await api.session()
  await page.context().addCookies(cookies)
  const { id, username, display_name, role, status } = user
  const stored = JSON.stringify({ id, username, display_name, role, status })
  // Only before the first script of the first page: later changes by the console are kept.
  await page.addInitScript(
    ([once = '', value = '']) => {
      if (window !== top || sessionStorage.getItem(once) !== null) return
      sessionStorage.setItem(once, 'done')
      localStorage.setItem('user', value)
    },
    [unique('signed-in-'), stored],
  )
}

/** Chooses the language before the page is opened. */
export const inEnglish = (page: Page) => page.addInitScript(() => localStorage.setItem('locale', 'en'))
