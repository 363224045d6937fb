/** How a figure changed from the previous period; undefined when there is nothing to compare. */
export type Change = { direction: 'up' | 'down' | 'same'; text: string }

const PERCENT_MAX = 999

/** 120 after 100 → `+20%`. After zero there is no percentage. */
export const relativeChange = (now: number | null, before: number | null): Change | undefined => {
  if (now === null || before === null || before === 0) return undefined
  const percent = ((now - before) / before) * 100
  if (percent > PERCENT_MAX) return { direction: 'up', text: `>+${PERCENT_MAX}%` }
  return signed(percent, '%')
}

/** For a share: 3 % after 2 % → `+1`, in percentage points. */
export const pointsChange = (now: number | null, before: number | null): Change | undefined =>
  now === null || before === null ? undefined : signed((now - before) * 100, '')

/** One decimal below ten, integers above. */
function signed(value: number, unit: string): Change {
  const size = Math.abs(value)
  const text = size < 9.95 ? size.toFixed(1).replace(/\.0$/, '') : Math.round(size).toFixed(0)
  if (text === '0') return { direction: 'same', text: `0${unit}` }
  return value > 0 ? { direction: 'up', text: `+${text}${unit}` } : { direction: 'down', text: `−${text}${unit}` }
}
