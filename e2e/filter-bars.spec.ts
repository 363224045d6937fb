import { expect, inEnglish, test } from './support/test.ts'

const PAGES = ['/channel', '/log', '/user', '/token', '/token/all', '/budget', '/alert', '/audit', '/analytics']

/** Texts of selects and inputs that do not fit: every choice counts, because each may be the chosen one. */
const cutTexts = () => {
  const canvas = document.createElement('canvas').getContext('2d')
  if (canvas === null) throw new Error('There is no canvas')
  const cut: string[] = []
  for (const control of document.querySelectorAll<HTMLSelectElement | HTMLInputElement>(
    'main :is(select, input:not([type=checkbox], [type=radio]))',
  )) {
    if (control.clientWidth === 0 || control.closest('table') !== null) continue
    const style = getComputedStyle(control)
    canvas.font = style.font
    const room = control.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
    const texts =
      'options' in control ? [...control.options].map(({ text }) => text) : [control.value, control.placeholder]
    for (const text of texts) if (canvas.measureText(text).width > room + 0.5) cut.push(text)
  }
  return cut
}

test('no text in a bar of filters is cut off, in either language and at any width', async ({
  page,
  root,
  signInAs,
}) => {
  await signInAs(root)
  for (const isEnglish of [false, true]) {
    if (isEnglish) await inEnglish(page)
    const toggle = page.getByRole('button', { name: isEnglish ? 'Filters' : '筛选', exact: true, expanded: false })
    for (const path of PAGES) {
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.goto(path)
      await expect(page.locator('main :is(select, input, [role=tab])').first()).toBeAttached()
      for (const width of [1280, 1440, 390]) {
        await page.setViewportSize({ width, height: 900 })
        if (await toggle.isVisible()) await toggle.click()
        expect([path, width, await page.evaluate(cutTexts)]).toEqual([path, width, []])
      }
    }
  }
})
