/** The headers of an answer. Most are never asked for, so they are kept as they came. */
export interface HeaderLines {
  /** All values of that name, joined; null without any. The name is in small letters. */
  get(name: string): string | null
  forEach(each: (value: string, name: string) => void): void
}

/** For those who want to change them. */
export const asHeaders = (lines: HeaderLines): Headers => {
  const headers = new Headers()
  lines.forEach((value, name) => void headers.append(name, value))
  return headers
}

/** Reads header lines as tolerantly as browsers do: what is not a header is skipped, a folded value is one value. */
export const headerLines = (lines: readonly string[]): HeaderLines => {
  const names: string[] = []
  const values: string[] = []
  for (const line of lines) {
    if (line.startsWith(' ') || line.startsWith('\t')) {
      const last = values.pop()
      if (last !== undefined) values.push(`${last} ${line.trim()}`)
      continue
    }
    const colon = line.indexOf(':')
    if (colon < 1) continue
    names.push(line.slice(0, colon).trimEnd().toLowerCase())
    values.push(line.slice(colon + 1).trim())
  }
  return {
    get(name) {
      let found: string | null = null
      for (const [index, value] of values.entries()) {
        if (names[index] === name) found = found === null ? value : `${found}, ${value}`
      }
      return found
    },
    forEach(each) {
      for (const [index, value] of values.entries()) each(value, names[index] ?? '')
    },
  }
}
