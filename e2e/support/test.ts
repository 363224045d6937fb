import { test as base, expect, type Page } from '@playwright/test'
import { type Account, type Api, ROOT_ACCOUNT, signedInApi } from './api.ts'
import { startServer, type TestServer } from './server.ts'

interface WorkerFixtures {
  server: TestServer
  /** The management API as root. */
  root: Api
}

interface Fixtures {
  /** An ordinary account of this story alone. */
  account: Account
  /** The management API as that account. */
  api: Api
  /** Signs the page in without the login form. */
  signIn: (account?: Account) => Promise<void>
  /** Fails the story when the page threw, or broke the content security policy. */
  noComplaints: undefined
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      const server = await startServer({ ROOT_PASSWORD: ROOT_ACCOUNT.password })
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
  baseURL: async ({ server }, use) => use(server.url),
  account: async ({ root }, use) => use(await root.makeUser()),
  api: async ({ server, account }, use) => {
    const api = await signedInApi(server.url, account)
    await use(api)
    await api.dispose()
  },
  signIn: async ({ page, account }, use) => use((other) => signInAs(page, other ?? account)),
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
})

export { expect }

/** The cookie comes from the server's own answer; the page finds the user where the login form would have put it. */
export async function signInAs(page: Page, account: Account) {
  const response = await page.request.post('/api/user/login', { data: account })
  const { success, message, data } = await response.json()
  expect(success, message).toBe(true)
  const { id, username, display_name, role, status } = data
  await page.goto('/logo.svg')
  await page.evaluate((user) => localStorage.setItem('user', JSON.stringify(user)), {
    id,
    username,
    display_name,
    role,
    status,
  })
}

/** The messages that are on the screen now. */
export const toasts = (page: Page) => page.getByTestId('toasts')

/** Chooses the language before the page is opened. */
export const inEnglish = (page: Page) => page.addInitScript(() => localStorage.setItem('locale', 'en'))
