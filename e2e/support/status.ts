import type { Page } from '@playwright/test'

/** The server's status with some members changed, for what would need a configured third party. */
export async function withStatus(page: Page, change: Record<string, unknown>) {
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, ...change } } })
  })
}

/** Answers one path in place of the server. */
export const answer = (page: Page, path: string, json: object, status = 200) =>
  page.route(path, (route) => route.fulfill({ status, json }))
