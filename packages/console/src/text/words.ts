import type { Locale } from '../lib/format/locale.ts'

/** The shape of a noun's texts: Chinese is written first, and a missing or extra key elsewhere does not compile. */
export type Words<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Words<T[K]>
}

export type Bilingual<T> = Readonly<Record<Locale, Words<T>>>

export const bilingual = <T>(zh: Words<T>, en: Words<T>): Bilingual<T> => ({ 'zh-CN': zh, en })
