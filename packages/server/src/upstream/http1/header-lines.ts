import { ProtocolError } from '../fault.ts'

/** The headers of an answer. Most are never read, so they are kept unparsed. */
export interface HeaderLines {
  /** All values of that name, joined; null without any. The name is in lower case. */
  get(name: string): string | null
  forEach(each: (value: string, name: string) => void): void
}

/** As a modifiable `Headers`. */
export const asHeaders = (lines: HeaderLines): Headers => {
  const headers = new Headers()
  lines.forEach((value, name) => {
    headers.append(name, value)
  })
  return headers
}

export const LINES_MAX = 256

/** One header line by the standard's grammar, including folded lines. Other bytes could inject lines further on. */
const LINE = /([!#$%&'*+.^_`|~0-9a-zA-Z-]+):([\t\x20-\x7e\x80-\xff]*)\r\n((?:[\t ][\t\x20-\x7e\x80-\xff]*\r\n)*)/y

/** Parses the lines from there to the end of the text. Throws a `ProtocolError` at the first invalid one. */
export const headerLines = (text: string, from: number): HeaderLines => {
  const lines = new Lines()
  for (let at = from; at < text.length; at = LINE.lastIndex) {
    LINE.lastIndex = at
    const [, name, value = '', folded = ''] = LINE.exec(text) ?? []
    if (name === undefined) throw new ProtocolError('a header line that is none')
    if (lines.count >= LINES_MAX) throw new ProtocolError(`more than ${LINES_MAX} header lines`)
    lines.add(name.toLowerCase(), trimmed(folded === '' ? value : `${value}\r\n${folded}`.replace(FOLD, ' ')))
  }
  return lines
}

const FOLD = /[\t ]*\r\n[\t ]*/g

/** Spaces and tabs only: `trim` would also remove characters that belong to the value. */
const trimmed = (value: string) => {
  let from = 0
  let to = value.length
  while (isBlank(value.charCodeAt(from))) from++
  while (to > from && isBlank(value.charCodeAt(to - 1))) to--
  return value.slice(from, to)
}

const isBlank = (code: number) => code === 32 || code === 9

/** A class instead of closures: every answer has one. */
class Lines implements HeaderLines {
  private readonly names: string[] = []
  private readonly values: string[] = []

  get count() {
    return this.names.length
  }

  add(name: string, value: string) {
    this.names.push(name)
    this.values.push(value)
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
