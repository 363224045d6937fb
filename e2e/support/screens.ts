import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { SLOWNESS } from './slow.ts'

const FOLDER = fileURLToPath(new URL('../screenshots', import.meta.url))

export type Locale = 'zh-CN' | 'en'

export interface Look {
  scheme: 'light' | 'dark'
  width: 1280 | 390
}

/** Words do not depend on speed, so a slow browser shows one language. */
export const LOCALES: readonly Locale[] = SLOWNESS > 1 ? ['zh-CN'] : ['zh-CN', 'en']

/**
 * Every pair of language, scheme and width is seen together once: words overflow by language and width, contrast fails by scheme and width,
 * and nothing depends on all three.
 */
export const LOOKS: Record<Locale, readonly Look[]> = {
  'zh-CN': [
    { scheme: 'light', width: 1280 },
    { scheme: 'dark', width: 390 },
  ],
  en: [
    { scheme: 'dark', width: 1280 },
    { scheme: 'light', width: 390 },
  ],
}

/** Call it before the page is opened. */
export async function setLocale(page: Page, locale: Locale) {
  await page.addInitScript((value) => localStorage.setItem('locale', value), locale)
  await setLook(page, LOOKS[locale][0])
}

export async function setLook(page: Page, look: Look | undefined) {
  if (look === undefined) throw new Error('There is no such look')
  const { scheme, width } = look
  await page.setViewportSize({ width, height: width === 390 ? 844 : 800 })
  await page.emulateMedia({ colorScheme: scheme })
}

/**
 * The current page is accessible and no wider than the window, in each look of its language: first in the one in which it was opened, then
 * in the other, because loading it again takes longer than looking at it.
 */
export async function expectToFit(page: Page, name: string, locale: Locale) {
  const isCurrent = ({ width }: Look) => page.viewportSize()?.width === width
  for (const look of LOOKS[locale].toSorted((one, other) => Number(isCurrent(other)) - Number(isCurrent(one)))) {
    await setLook(page, look)
    await expect(page.locator('main[aria-busy="true"], main > [aria-busy="true"]')).toHaveCount(0)
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await expect.poll(overflow, `${name} is wider than ${look.width} pixels`).toBeLessThanOrEqual(0)
    await expectAccessible(page)
    await shoot(page, `${name}-${locale}-${look.scheme}-${look.width}`)
  }
}

/** What is open stays open when the scheme changes; a change of the width may close it. */
export async function expectAccessibleInBothSchemes(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
}

/** A screenshot for people, in an ignored folder, if they want some. */
export async function shoot(page: Page, name: string) {
  if (process.env.SCREENSHOTS !== undefined) await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}
