import { stored } from '../browser/storage.ts'

export const LOCALES = ['zh-CN', 'en'] as const
export type Locale = (typeof LOCALES)[number]

const isLocale = (text: string | null): text is Locale => LOCALES.some((locale) => locale === text)

export const isLocaleChosen = () => isLocale(stored.read('locale'))

/**
 * The chosen language, which is also requested from the server. Before a choice, that of the page, which the server sends in the site's
 * own language.
 */
export const chosenLocale = (): Locale => {
  const locale = stored.read('locale')
  if (isLocale(locale)) return locale
  const ofPage = typeof document === 'undefined' ? null : document.documentElement.lang
  return isLocale(ofPage) ? ofPage : 'zh-CN'
}

/** The site's language for this browser. */
export const defaultLocale = (wanted: 'zh' | 'en' | 'browser', preferred: readonly string[]): Locale => {
  if (wanted !== 'browser') return wanted === 'en' ? 'en' : 'zh-CN'
  const known = preferred.find((tag) => /^(zh|en)(-|$)/i.test(tag))
  return known?.toLowerCase().startsWith('en') ? 'en' : 'zh-CN'
}

export const rememberLocale = (locale: Locale) => stored.write('locale', locale)
