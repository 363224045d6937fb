/** `finest` is the last digit that the unit below can show: what rounds up to `from` there is shown in this unit. */
const UNITS = [
  { from: 1e9, divisor: 1e9, suffix: 'B', finest: 1e5 },
  { from: 1e6, divisor: 1e6, suffix: 'M', finest: 1e2 },
  { from: 1e4, divisor: 1e3, suffix: 'k', finest: 1 },
] as const

/** 9999 → `9,999`, 10000 → `10.0k`, 999950 → `1.0M`, 2500000 → `2.5M`. */
export const formatNumber = (value: number) => {
  const size = Math.abs(value)
  const unit = UNITS.find(({ from, finest }) => Math.round(size / finest) * finest >= from)
  if (unit === undefined) return formatExact(value)
  return `${value < 0 ? '-' : ''}${tenths.format(Math.max(size, unit.from) / unit.divisor)}${unit.suffix}`
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })
const tenths = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** 500000 → `500,000`, where the exact number matters. */
export const formatExact = (value: number) => grouped.format(value)

const decimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })

/** 266076.25 → `266,076.25`: every digit of a number that need not be an integer. */
export const formatDecimal = (value: number) => decimals.format(value)
