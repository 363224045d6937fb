import type { SourceParts } from './source-parts.ts'

const SEARCH = /\.getBy(Role|Label|Placeholder|Title|AltText)\s*\(/g

/** Where a browser test uses a substring of a name: another page may have a name that contains it too. */
export const namesInPart = (source: string, { code }: SourceParts): number[] =>
  [...code.matchAll(SEARCH)]
    .filter((match) => {
      const from = match.index + match[0].length
      const to = closingBracket(code, from)
      const name = match[1] === 'Role' ? startOfName(code, from, to) : from
      return name !== undefined && !isPattern(source.slice(name, to)) && !/\bexact: true\b/.test(code.slice(from, to))
    })
    .map(({ index }) => index)

/** Undefined when only a role is given. */
function startOfName(code: string, from: number, to: number) {
  const option = /\bname\b:?/.exec(code.slice(from, to))
  return option === null ? undefined : from + option.index + option[0].length
}

const isPattern = (value: string) => /^\s*(?:\/|new RegExp\b)/.test(value)

function closingBracket(code: string, from: number) {
  let open = 1
  for (let at = from; at < code.length; at++) {
    if (code[at] === '(') open++
    else if (code[at] === ')' && --open === 0) return at
  }
  return code.length
}
