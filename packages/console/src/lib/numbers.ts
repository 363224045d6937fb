const STEPS = [
  { from: 1e9, divisor: 1e9, suffix: 'B' },
  { from: 1e6, divisor: 1e6, suffix: 'M' },
  { from: 1e4, divisor: 1e3, suffix: 'k' },
] as const

/** 9999 → `9999`, 10000 → `10.0k`, 2500000 → `2.5M`. */
export const formatNumber = (value: number) => {
  const step = STEPS.find(({ from }) => Math.abs(value) >= from)
  return step === undefined ? String(value) : `${(value / step.divisor).toFixed(1)}${step.suffix}`
}

const grouped = new Intl.NumberFormat('en-US')

/** 500000 → `500,000`, where the exact number matters. */
export const formatExact = (value: number) => grouped.format(value)
