export interface TextSegment {
  text: string
  marked: boolean
}

/** A text split at values to be highlighted; of overlapping values the longest counts. */
export const splitMarked = (text: string, values: readonly string[]): TextSegment[] => {
  const wanted = values.filter((value) => value !== '').sort((one, other) => other.length - one.length)
  if (wanted.length === 0) return [{ text, marked: false }]
  const anyOf = new RegExp(`(${wanted.map(escaped).join('|')})`)
  return text
    .split(anyOf)
    .map((piece, index) => ({ text: piece, marked: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}

const escaped = (value: string) => value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
