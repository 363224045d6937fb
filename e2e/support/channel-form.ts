import type { Page } from '@playwright/test'

export const submit = (page: Page) => page.getByRole('button', { name: /^(创建|保存)渠道$/ }).click()

/** Waits for the model lists: before that a type has no models, and the form cannot be saved. */
export async function openForm(page: Page) {
  await page.goto('/channel/add')
  await page.waitForLoadState('networkidle')
}

export async function chooseType(page: Page, name: string) {
  await page.getByRole('combobox', { name: '类型', exact: true }).fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}

/** The body that the page sends when it saves. */
export const sending = (page: Page, method: 'POST' | 'PUT') =>
  page
    .waitForRequest((request) => request.method() === method && request.url().endsWith('/api/channel/'))
    .then((request) => request.postDataJSON())
