/** More or longer names are not compared: a mistyped name must not cost more than a call. */
const NAMES_MAX = 2000
const LENGTH_MAX = 128
const DISTANCE_MAX = 3

/** The name that was probably meant: a few letters away, or with a different suffix (a date, a variant). */
export const nearName = (wanted: string, names: readonly string[]): string | undefined => {
  if (wanted.length > LENGTH_MAX) return undefined
  const typed = bare(wanted)
  const compared = names.slice(0, NAMES_MAX).filter(({ length }) => length <= LENGTH_MAX)
  let best: string | undefined
  let least = Math.min(DISTANCE_MAX, Math.floor(typed.length / 3)) + 1
  for (const name of compared) {
    const distance = distanceWithin(typed, bare(name), least - 1)
    if (distance >= least) continue
    best = name
    least = distance
  }
  return best ?? longest(compared.filter((name) => isLonger(typed, bare(name)) || isLonger(bare(name), typed)))
}

/** Without the vendor prefix, as other gateways write it. */
const bare = (name: string) => name.toLowerCase().replace(/^.*\//, '')

const isLonger = (name: string, beginning: string) =>
  beginning.length >= 4 && name.startsWith(beginning) && /^[-.:@_]/.test(name.slice(beginning.length))

const longest = (names: readonly string[]) =>
  names.reduce<string | undefined>((one, name) => (name.length > (one?.length ?? 0) ? name : one), undefined)

/**
 * The edit distance, or `max + 1` for anything above. Only cells near the diagonal of the table are computed: the others are above
 * in any case.
 */
function distanceWithin(one: string, other: string, max: number): number {
  const far = max + 1
  if (Math.abs(one.length - other.length) > max) return far
  let row = Array.from({ length: other.length + 1 }, (_, at) => Math.min(at, far))
  for (let line = 1; line <= one.length; line++) {
    const next: number[] = Array(other.length + 1).fill(far)
    if (line <= max) next[0] = line
    for (let at = Math.max(1, line - max); at <= Math.min(other.length, line + max); at++) {
      const same = (row[at - 1] ?? far) + (one[line - 1] === other[at - 1] ? 0 : 1)
      next[at] = Math.min(same, (row[at] ?? far) + 1, (next[at - 1] ?? far) + 1, far)
    }
    row = next
  }
  return row[other.length] ?? far
}
