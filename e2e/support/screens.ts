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

/**
 * Every pair of language, scheme and width is seen together once: words overflow by language and width, contrast fails by scheme and width,
 * and nothing depends on all three.
 */
const ALL_LOOKS: readonly Look[] = [
  { locale: 'zh-CN', scheme: 'light', width: 1280 },
  { locale: 'zh-CN', scheme: 'dark', width: 390 },
  { locale: 'en', scheme: 'dark', width: 1280 },
  { locale: 'en', scheme: 'light', width: 390 },
]

/** Colours and words do not depend on speed, so a slow browser shows two of them. */
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
