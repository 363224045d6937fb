import type { Locator, Page } from '@playwright/test'
import { unique } from './support/api.ts'
import { CALL, showLogs } from './support/calls.ts'
import { field } from './support/find.ts'
import { expectAccessibleInBothSchemes, setLocale, setLook, shoot } from './support/screens.ts'
import { expect, inEnglish, test } from './support/test.ts'

/* Everything that opens over a page is checked while it is open, and returns the focus when it closes. */

for (const width of [1280, 390] as const) {
  test(`open menus, lists and dialogs are accessible: ${width} [R0.02 R2.37]`, async ({ page, root, api, signIn }) => {
    const { name } = await api.makeToken()
    await root.makeChannel({ models: Array.from({ length: 30 }, (_, index) => `model-${index}`).join(',') })
    await signIn()
    await setLocale(page, 'zh-CN')
    await setLook(page, { scheme: 'light', width })
    await page.goto('/token')

    const looked = async (what: string, shown: Locator) => {
      await expect(shown).toBeInViewport({ ratio: 1 })
      await expectAccessibleInBothSchemes(page)
      await shoot(page, `open-${what}-${width}`)
      await page.keyboard.press('Escape')
      await expect(shown).toHaveCount(0)
    }

    await page.getByRole('button', { name: `令牌 ${name} 的更多操作`, exact: true }).click()
    await looked('row-menu', page.getByRole('menu'))

    await page.getByRole('button', { name: `令牌 ${name} 的更多操作`, exact: true }).click()
    await page.getByRole('menuitem', { name: '删除令牌', exact: true }).click()
    await looked('confirm', page.getByRole('dialog'))

    await page.getByRole('button', { name: /的账户菜单$/ }).click()
    await looked('user-menu', page.getByRole('menu'))

    await page.keyboard.press('Control+k')
    await looked('palette', page.getByRole('dialog'))

    // Its entries arrive after it has opened, and make it grow.
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    await page.route('**/api/user/available_models', async (route) => {
      await opened
      await route.fallback()
    })
    await page.goto('/token/add')
    await page.getByRole('combobox', { name: '模型范围', exact: true }).click()
    await expect(page.getByRole('listbox')).toBeVisible()
    open()
    await expect(page.getByRole('option', { name: 'model-0', exact: true })).toBeAttached()
    await looked('select', page.getByRole('listbox'))

    if (width === 390) {
      await page.getByRole('button', { name: '打开菜单', exact: true }).click()
      await looked('phone-menu', page.getByRole('dialog'))
    }
  })
}

test('an overlay that closes returns the focus to what opened it', async ({ page, api, signIn }) => {
  const { name } = await api.makeToken()
  await signIn()
  await inEnglish(page)
  await page.goto('/token')

  const more = page.getByRole('button', { name: `More actions for ${name}`, exact: true })
  await opensAndReturns(page, more, page.getByRole('menuitem', { name: 'Delete token', exact: true }))
  await opensAndReturns(page, page.getByRole('button', { name: 'Search', exact: true }).first())

  // By mouse, before the code of the dialog is loaded.
  await page.reload()
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete token', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()

  await page.setViewportSize({ width: 390, height: 844 })
  await opensAndReturns(page, page.getByRole('button', { name: 'Open menu', exact: true }))
})

test('a settings dialog returns the focus, and a click on a row leaves it where it was', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/setting')
  await opensAndReturns(page, page.getByRole('button', { name: '绑定邮箱地址', exact: true }))

  await showLogs(page, [{ ...CALL, token_name: unique('row-') }])
  await page.goto('/log')
  await field(page, '模型名称').focus()
  await page.getByRole('cell', { name: CALL.model_name, exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(field(page, '模型名称')).not.toBeFocused()
})

async function opensAndReturns(page: Page, button: Locator, entry?: Locator) {
  await button.focus()
  await page.keyboard.press('Enter')
  if (entry !== undefined) {
    await entry.focus()
    await page.keyboard.press('Enter')
  }
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button).toBeFocused()
}
