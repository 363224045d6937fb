/** Shorter values are shown whole. */
const WHOLE_MAX = 20
/** What is kept of the equal text around a difference. */
const AROUND = 6

/** Two long texts that begin or end alike, cut to where they differ, so that the difference is visible in a line. */
export const differingPart = (before: string, after: string): [before: string, after: string] => {
  if (Math.max(before.length, after.length) <= WHOLE_MAX) return [before, after]
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const from = Math.max(0, start - AROUND)
  const left = Math.max(0, end - AROUND)
  const cut = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, text.length - left)}${left > 0 ? '…' : ''}`.toWellFormed()
  return [cut(before), cut(after)]
}
