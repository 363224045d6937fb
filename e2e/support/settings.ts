import type { Page } from '@playwright/test'

export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Keys and values of the PUT calls, in order. */
export function puts(page: Page) {
  const sent: { key: string; value: string }[] = []
  page.on('request', (request) => {
    if (request.method() !== 'PUT') return
    const { key, value } = request.postDataJSON()
    sent.push({ key, value })
  })
  return sent
}

/** Answers with success without changing anything. */
export const pretendToSave = (page: Page) =>
  page.route('**/api/option/', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ json: { success: true, message: '' } }) : route.fallback(),
  )
