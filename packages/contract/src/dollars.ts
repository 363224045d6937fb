/**
 * The precision of an amount. `cents`: two decimals, as in lists and balances. `fine`: two decimals, and for small
 * amounts two significant digits. `exact`: every digit there is. A number: that many decimals.
 */
export type MoneyPrecision = 'cents' | 'fine' | 'exact' | number

/** Digits beyond this are floating-point noise. */
const DIGITS_MAX = 12

/**
 * 700000 → `$1.40` at the default rate. A positive amount that rounds to zero reads `<$0.01`: paid calls must not look
 * free. A negative one reads `>-$0.01`.
 */
export const dollarText = (quota: number, quotaPerUnit: number, precision: MoneyPrecision = 'cents') => {
  const amount = Math.abs(quota / quotaPerUnit)
  const text = amountText(amount, precision)
  const lost = amount > 0 && Number(text) === 0
  const decimals = text.split('.')[1]?.length ?? 0
  const least = (10 ** -decimals).toFixed(decimals)
  const sign = quota < 0 ? '-' : ''
  if (lost) return `${quota < 0 ? '>' : '<'}${sign}$${least}`
  return `${sign}$${grouped(text)}`
}

/** An amount that already has a currency, with separators and two decimals. */
export const centsText = (amount: number, symbol: string) =>
  `${amount < 0 ? '-' : ''}${symbol}${grouped(Math.abs(amount).toFixed(2))}`

function amountText(amount: number, precision: MoneyPrecision) {
  if (precision === 'cents') return amount.toFixed(2)
  if (precision === 'fine') return trimmed(amount.toFixed(fineDecimals(amount)))
  if (precision === 'exact') return trimmed(amount.toFixed(exactDecimals(amount)))
  return amount.toFixed(precision)
}

/** The decimals needed for two significant digits. */
const fineDecimals = (amount: number) => (amount === 0 ? 2 : clamped(1 - magnitude(amount)))

const exactDecimals = (amount: number) => (amount === 0 ? 2 : clamped(DIGITS_MAX - 1 - magnitude(amount)))

const magnitude = (amount: number) => Math.floor(Math.log10(amount))

const clamped = (decimals: number) => Math.min(Math.max(decimals, 2), 30)

/** Keeps two decimals and drops trailing zeros after them. */
const trimmed = (text: string) => text.replace(/(\.\d\d\d*?)0+$/, '$1')

const grouped = (text: string) => text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','))
