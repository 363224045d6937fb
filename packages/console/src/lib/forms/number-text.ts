const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i
const GROUPED = /^[+-]?\d{1,3}([, _']\d{3})+(\.\d+)?$/

/**
 * Typed or pasted text as a number: `1,000`, `1 000`, `1e9` and full-width digits are unambiguous. Undefined for everything else; a
 * number is never guessed from parts of a text.
 */
export function readNumber(text: string): number | undefined {
  const typed = text.normalize('NFKC').replaceAll('\u2212', '-').trim()
  if (!PLAIN.test(typed) && !GROUPED.test(typed)) return undefined
  const value = Number(typed.replace(/[, _']/g, ''))
  return Number.isFinite(value) ? value : undefined
}

export interface NumberRules {
  min?: number
  max?: number
  /** Fractions are allowed. */
  decimal?: boolean
}

export type NumberFault = 'noNumber' | 'noWholeNumber' | 'below' | 'above'

/** Why a text is not a valid number; undefined when it is. */
export function numberFault(text: string, { min, max, decimal = false }: NumberRules): NumberFault | undefined {
  const value = readNumber(text)
  if (value === undefined) return 'noNumber'
  if (!decimal && !Number.isInteger(value)) return 'noWholeNumber'
  if (min !== undefined && value < min) return 'below'
  if (max !== undefined && value > max) return 'above'
  return undefined
}
