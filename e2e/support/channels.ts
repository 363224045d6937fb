import type { Page } from '@playwright/test'
import type { Api } from './api.ts'

/** Channels belong to the whole site, so each test uses its own names and looks only at those. */
export const listOf = (word: string) => `/channel?keyword=${word}`

/** The list as the server would send it, with values that only a vendor could provide. */
export async function withChannel(page: Page, change: Record<string, unknown>) {
  await page.route('**/api/channel/search**', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const data = json.data.map((channel: object) => ({ ...channel, ...change }))
    await route.fulfill({ response, json: { ...json, data } })
  })
}

export const idOf = async (root: Api, name: string): Promise<number> =>
  (await root.call('GET', `/api/channel/search?keyword=${name}`)).data[0].id
