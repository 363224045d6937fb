import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'

const FOLDER = fileURLToPath(new URL('../screenshots', import.meta.url))

export interface Look {
  locale: 'zh-CN' | 'en'
  scheme: 'light' | 'dark'
  width: 1280 | 390
}

/** Both languages, both schemes, both widths. */
export const LOOKS: readonly Look[] = (['zh-CN', 'en'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((scheme) => ([1280, 390] as const).map((width) => ({ locale, scheme, width }))),
)

export const lookName = ({ locale, scheme, width }: Look) => `${locale} ${scheme} ${width}`

/** Before the page is opened. */
export async function dress(page: Page, { locale, scheme, width }: Look) {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 800 })
  await page.emulateMedia({ colorScheme: scheme })
  await page.addInitScript((value) => localStorage.setItem('locale', value), locale)
}

/** A picture for people to look at, in an ignored folder. */
export async function shoot(page: Page, name: string, { locale, scheme, width }: Look) {
  await page.screenshot({ path: join(FOLDER, `${name}-${locale}-${scheme}-${width}.png`) })
}
