import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { SLOWNESS } from './slow.ts'

const FOLDER = fileURLToPath(new URL('../screenshots', import.meta.url))

export interface Look {
  locale: 'zh-CN' | 'en'
  scheme: 'light' | 'dark'
  width: 1280 | 390
}

const ALL_LOOKS: readonly Look[] = (['zh-CN', 'en'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((scheme) => ([1280, 390] as const).map((width) => ({ locale, scheme, width }))),
)

/** Both languages, both schemes, both widths; colours and words do not depend on speed, so a slow browser shows one of each. */
export const LOOKS = SLOWNESS > 1 ? ALL_LOOKS.slice(0, 2) : ALL_LOOKS

export const lookName = ({ locale, scheme, width }: Look) => `${locale} ${scheme} ${width}`

/** Call it before the page is opened. */
export async function dress(page: Page, { locale, scheme, width }: Look) {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 800 })
  await page.emulateMedia({ colorScheme: scheme })
  await page.addInitScript((value) => localStorage.setItem('locale', value), locale)
}

/** A screenshot for people, in an ignored folder. */
export async function shoot(page: Page, name: string, { locale, scheme, width }: Look) {
  await page.screenshot({ path: join(FOLDER, `${name}-${locale}-${scheme}-${width}.png`) })
}
