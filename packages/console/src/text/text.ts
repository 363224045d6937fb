import { useSyncExternalStore } from 'react'
import { chosenLocale, defaultLocale, isLocaleChosen, type Locale, rememberLocale } from '../lib/format/locale.ts'
import type { Bilingual, Words } from './words.ts'

/*
 * A page contains its texts in both languages, so that switching needs no download. A translation library (i18next, 21 KB gzipped with
 * its React half) would cost the login page an eighth of its budget and could check neither keys nor values better than the compiler.
 */

const listeners = new Set<() => void>()
let locale = chosenLocale()

/** The texts of a noun in the chosen language: `const text = useText(tokensText)`, then `text.title`. */
export const useText = <T>(words: Bilingual<T>): Words<T> => words[useLocale()]

export const useLocale = (): Locale => useSyncExternalStore(subscribe, () => locale)

/** The same outside of components: in a toast, in an error. */
export const textNow = <T>(words: Bilingual<T>): Words<T> => words[locale]

export function switchLocale(next: Locale) {
  rememberLocale(next)
  adopt(next)
}

/** The site's own language, unless the user chose one. The page usually comes in it; a separately served one does not. */
export function followSite(wanted: 'zh' | 'en' | 'browser') {
  const next = defaultLocale(wanted, navigator.languages)
  if (!isLocaleChosen() && next !== locale) adopt(next)
}

function adopt(next: Locale) {
  locale = next
  document.documentElement.lang = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
