import { unique } from './support/api.ts'
import { arrived, field } from './support/find.ts'
import { expect, inEnglish, test } from './support/test.ts'

test('a user finds a model, what it costs per million tokens, and how to connect to it', async ({
  page,
  root,
  api,
  signIn,
}) => {
  const alike = unique('gpt-4o-mini-')
  await root.makeChannel({
    models: `${alike},gpt-4o-mini`,
    model_mapping: JSON.stringify({ [alike]: 'gpt-4o-mini' }),
  })
  await api.makeToken()
  await signIn()
  await inEnglish(page)
  await page.goto('/model')
  await arrived(page, 'Models and prices')
  await field(page, 'Search models by name').fill(alike)
  const row = page.getByRole('row').filter({ hasText: alike })
  await expect(row.getByRole('cell')).toHaveText([alike, '$0.15', '$0.075', '$0.60', '—', ''])
  await expect(page.getByText('1 model available')).toBeVisible()
  await row.getByRole('link', { name: alike, exact: true }).click()
  await arrived(page, 'Connect')
  expect(new URL(page.url()).searchParams.get('model')).toBe(alike)
})
