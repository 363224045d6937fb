const parts = (version: string) =>
  version
    .trim()
    .replace(/^v/, '')
    .split(/[.+-]/)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : 0))

/** `v0.10.0` is newer than `v0.9.1`. Suffixes after a dash, such as `-alpha`, are not compared. */
export function isNewer(version: string, than: string) {
  const [one, other] = [parts(version), parts(than)]
  const first = [0, 1, 2].find((place) => (one[place] ?? 0) !== (other[place] ?? 0))
  return first !== undefined && (one[first] ?? 0) > (other[first] ?? 0)
}
