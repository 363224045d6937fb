/** Two views of a source, each with the rest blanked out; every character keeps its position and line. */
export interface SourceParts {
  /** Without comments and the contents of strings, templates and regular expressions. */
  code: string
  comments: string
}

/**
 * Separates code from comments and quoted text, so that a rule about code does not match prose. It knows as much of the language as that
 * takes; an apostrophe in JSX text costs at most the rest of its line.
 */
export function sourceParts(source: string): SourceParts {
  const code = blank(source)
  const comments = blank(source)
  // One entry per enclosing template: the number of open braces in its current `${}`.
  const templates: number[] = []
  let at = 0

  const keep = (target: string[], until: number) => {
    for (; at < until; at++) target[at] = source[at] ?? ''
  }

  while (at < source.length) {
    const char = source[at] ?? ''
    if (source.startsWith('//', at)) keep(comments, endOf(source, '\n', at))
    else if (source.startsWith('/*', at)) keep(comments, endOf(source, '*/', at + 2) + 2)
    else if (char === "'" || char === '"') at = closingQuote(source, at)
    else if (char === '/' && startsRegex(source, at)) at = closingSlash(source, at)
    else if (char === '`') at = templateText(source, at + 1, templates)
    else if (char === '}' && templates.at(-1) === 0) {
      templates.pop()
      at = templateText(source, at + 1, templates)
    } else {
      if (templates.length > 0) templates.push((templates.pop() ?? 0) + (char === '{' ? 1 : char === '}' ? -1 : 0))
      keep(code, at + 1)
    }
  }
  return { code: code.join(''), comments: comments.join('') }
}

export const lineOf = (source: string, index: number) => source.slice(0, index).split('\n').length

const blank = (source: string) => source.split('').map((char) => (char === '\n' ? '\n' : ' '))

/** The next position of `text`, or the end of the source. */
function endOf(source: string, text: string, from: number) {
  const found = source.indexOf(text, from)
  return found === -1 ? source.length : found
}

function closingQuote(source: string, open: number) {
  for (let at = open + 1; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === source[open] || source[at] === '\n') return at + 1
  }
  return source.length
}

function closingSlash(source: string, open: number) {
  let inClass = false
  for (let at = open + 1; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') inClass = true
    else if (source[at] === ']') inClass = false
    else if (source[at] === '\n' || (source[at] === '/' && !inClass)) return at + 1
  }
  return source.length
}

/** A slash divides after a value and starts a regular expression after an operator or such a word. */
function startsRegex(source: string, at: number) {
  const before = source.slice(Math.max(0, at - 40), at).trimEnd()
  return before === '' || /(?:[(,=:[!&|?;{+*%~^-]|=>|\b(?:return|typeof|case|in|of|await|yield))$/.test(before)
}

/** Skips template text; at `${` it records that code follows, up to the closing brace. */
function templateText(source: string, from: number, templates: number[]) {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '`') return at + 1
    else if (source.startsWith('${', at)) {
      templates.push(0)
      return at + 2
    }
  }
  return source.length
}
