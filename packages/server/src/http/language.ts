import type { Language } from '../common/errors.ts'

/** The caller's preferred one of the two languages; without a preference, the site's. */
export const languageOf = (acceptLanguage: string | null, otherwise: Language = 'zh'): Language => {
  const preferences = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
      return { tag: tag.trim(), weight: quality === undefined ? 1 : Number(quality.trim().slice(2)) || 0 }
    })
    .filter(({ tag }) => /^(zh|en)(-|$)/.test(tag))
  const best = preferences.reduce<(typeof preferences)[number] | undefined>(
    (top, wish) => (top === undefined || wish.weight > top.weight ? wish : top),
    undefined,
  )
  if (best === undefined) return otherwise
  return best.tag.startsWith('en') ? 'en' : 'zh'
}
