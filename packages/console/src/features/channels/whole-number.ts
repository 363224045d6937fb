/** What was typed as a priority or a weight, as an integer; undefined for what is empty or no number at all. */
export function wholeNumber(text: string, { min = Number.NEGATIVE_INFINITY } = {}) {
  const value = Number.parseInt(text, 10)
  return Number.isNaN(value) ? undefined : Math.max(min, value)
}
