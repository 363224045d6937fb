/** The headers of an answer. Most are never asked for, so they are kept as they came. */
export interface HeaderLines {
  /** All values of that name, joined; null without any. The name is in small letters. */
  get(name: string): string | null
  forEach(each: (value: string, name: string) => void): void
}

/** For those who want to change them. What no header can be is left out: the runtime would refuse all of them for it. */
export const asHeaders = (lines: HeaderLines): Headers => {
  const headers = new Headers()
  lines.forEach((value, name) => {
    if (isHeader(name, value)) headers.append(name, value)
  })
  return headers
}

/** Whether a line can be sent on as it is. */
export const isHeader = (name: string, value: string) => NAME.test(name) && !FORBIDDEN.test(value)

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/

/** Reads the lines of a head as tolerantly as browsers do: what is not a header is skipped, a folded value is one value. */
export const headerLines = (head: string, from: number): HeaderLines => {
  const lines = new Lines()
  for (let at = from; at < head.length; ) {
    const end = head.indexOf('\n', at)
    lines.add(head.slice(at, end < 0 ? undefined : end))
    at = end < 0 ? head.length : end + 1
  }
  return lines
}

/** A class and not closures: every answer has one. */
class Lines implements HeaderLines {
  private readonly names: string[] = []
  private readonly values: string[] = []

  /** A line, with or without the carriage return at its end. */
  add(line: string) {
    if (line.startsWith(' ') || line.startsWith('\t')) {
      const last = this.values.pop()
      if (last !== undefined) this.values.push(`${last} ${line.trim()}`.trimEnd())
      return
    }
    const colon = line.indexOf(':')
    if (colon < 1) return
    this.names.push(line.slice(0, colon).trimEnd().toLowerCase())
    this.values.push(line.slice(colon + 1).trim())
  }

  get(name: string) {
    let found: string | null = null
    for (let at = this.names.indexOf(name); at >= 0; at = this.names.indexOf(name, at + 1)) {
      const value = this.values[at] ?? ''
      found = found === null ? value : `${found}, ${value}`
    }
    return found
  }

  forEach(each: (value: string, name: string) => void) {
    for (let at = 0; at < this.names.length; at++) each(this.values[at] ?? '', this.names[at] ?? '')
  }
}
