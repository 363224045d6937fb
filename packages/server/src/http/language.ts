import type { Language } from '../errors.ts'

/** Chinese unless the caller prefers English. */
export const languageOf = (acceptLanguage: string | null): Language => {
  const wishes = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
      return { tag: tag.trim(), weight: quality === undefined ? 1 : Number(quality.trim().slice(2)) || 0 }
    })
    .filter(({ tag }) => /^(zh|en)(-|$)/.test(tag))
  const best = wishes.reduce<(typeof wishes)[number] | undefined>(
    (top, wish) => (top === undefined || wish.weight > top.weight ? wish : top),
    undefined,
  )
  return best?.tag.startsWith('en') ? 'en' : 'zh'
}
