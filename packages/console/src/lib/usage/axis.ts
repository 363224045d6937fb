const TICKS_MAX = 5

/** The scale of a chart: round steps from 0 to the first one that is not below `max`. */
export interface Axis {
  ticks: number[]
  /** The decimals needed to distinguish ticks. */
  decimals: number
}

/** `least` is the smallest step: counts have no fractions. */
export const axisFor = (max: number, least = 0): Axis => {
  const step = Math.max(roundStep(max / (TICKS_MAX - 1)), least)
  const count = Math.max(1, Math.ceil(max / step - 1e-9))
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  // Rounded to the step's decimals: three times 0.1 is not quite 0.3.
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toFixed(decimals)))
  return { ticks, decimals }
}

/** The next of 1, 2, 5, 10, 20, 50, … that is not smaller. */
function roundStep(atLeast: number) {
  if (atLeast <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const factor = [1, 2, 5].find((each) => each * power >= atLeast * (1 - 1e-9)) ?? 10
  return factor * power
}
