/** More names and texts than any conversation has. */
const STRINGS_MAX = 500_000
/** What a member with an empty name takes. */
const SHORTEST = '"":1,'.length

/**
 * Whether JSON has so many names and texts that reading it would stop every stream for seconds: a distinct name takes about a microsecond,
 * and thirty megabytes have room for millions. Long texts and images are not counted, because their quotes are escaped.
 */
export const hasTooManyStrings = (json: string, max = STRINGS_MAX): boolean => {
  if (json.length < max * SHORTEST) return false
  let quotes = 0
  for (let at = json.indexOf('"'); at !== -1; at = json.indexOf('"', at + 1)) {
    if (json[at - 1] !== '\\' && ++quotes > 2 * max) return true
  }
  return false
}
