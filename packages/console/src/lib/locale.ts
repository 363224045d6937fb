import { stored } from './storage.ts'

export const LOCALES = ['zh-CN', 'en'] as const
export type Locale = (typeof LOCALES)[number]

const isLocale = (text: string | null): text is Locale => LOCALES.some((locale) => locale === text)

/** The chosen language; also what the server is asked to answer in. */
export const chosenLocale = (): Locale => {
  const locale = stored.read('locale')
  return isLocale(locale) ? locale : 'zh-CN'
}

export const rememberLocale = (locale: Locale) => stored.write('locale', locale)
