/*
 * Edits JSON text in place. A body is sent upstream byte for byte as the client wrote it, except for the member that has to change;
 * parsing and serialising it would lose the order, the spelling of numbers, and time.
 */

/** Replaces the value of a top-level member; undefined when the text has no such member. */
export const replaceMember = (text: string, name: string, value: unknown): string | undefined => {
  const range = findMember(text, name)
  return range === undefined ? undefined : text.slice(0, range.start) + JSON.stringify(value) + text.slice(range.end)
}

/** Removes a top-level member and the comma beside it. */
export const removeMember = (text: string, name: string): string => {
  const range = findMember(text, name)
  if (range === undefined) return text
  const before = text.slice(0, range.key)
  const after = text.slice(range.end)
  const isLast = /^\s*\}/.test(after)
  return isLast ? before.replace(/,\s*$/, '') + after : before + after.replace(/^\s*,/, '')
}

/** Inserts a member before all others. */
export const insertMember = (text: string, name: string, value: unknown): string => {
  const open = text.indexOf('{') + 1
  const separator = /^\s*\}/.test(text.slice(open, open + 64)) ? '' : ','
  return `${text.slice(0, open)}${JSON.stringify(name)}:${JSON.stringify(value)}${separator}${text.slice(open)}`
}

/**
 * Whether parsers could disagree about one of these members: it occurs twice, and some take the first and others the last; or its
 * name contains escapes, which a text search does not see. A search for the names nearly always suffices, and only if the number of
 * matches differs the members are inspected.
 */
export const ambiguityOf = (names: readonly string[]) => {
  const spelled = new RegExp(`\\\\u00|"(?:${names.join('|')})"`, 'g')
  return (text: string, parsed: object): boolean => {
    const expected = names.reduce((count, name) => (name in parsed ? count + 1 : count), 0)
    let found = 0
    spelled.lastIndex = 0
    for (let hit = spelled.exec(text); hit !== null && found <= expected; hit = spelled.exec(text)) {
      found += hit[0].startsWith('"') ? 1 : Number.POSITIVE_INFINITY
    }
    if (found === expected) return false
    const written = [...membersOf(text)].map((member) => member.written)
    return written.some((name) => name.includes('\\')) || new Set(written).size < written.length
  }
}

/** The position of a top-level member and its value. The text is known to be a JSON object. */
function findMember(text: string, name: string): { key: number; start: number; end: number } | undefined {
  const quoted = JSON.stringify(name)
  for (const { written, ...range } of membersOf(text)) if (written === quoted) return range
  return undefined
}

function* membersOf(text: string) {
  let at = skipSpace(text, text.indexOf('{') + 1)
  while (text[at] === '"') {
    const key = at
    const keyEnd = stringEnd(text, at)
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = valueEnd(text, start)
    yield { written: text.slice(key, keyEnd), key, start, end }
    at = skipSpace(text, end)
    if (text[at] !== ',') return
    at = skipSpace(text, at + 1)
  }
}

function skipSpace(text: string, at: number) {
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return at
}

/** The position after the closing quote of the string that starts at `at`. */
function stringEnd(text: string, at: number) {
  let end = text.indexOf('"', at + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

function isEscaped(text: string, quote: number) {
  let slashes = 0
  while (text[quote - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

function valueEnd(text: string, at: number) {
  if (text[at] === '"') return stringEnd(text, at)
  if (text[at] !== '{' && text[at] !== '[') {
    let end = at
    while (end < text.length && !/[,}\]\s]/.test(text[end] ?? '')) end++
    return end
  }
  let depth = 0
  for (let end = at; end < text.length; end++) {
    const character = text.charCodeAt(end)
    if (character === 34) end = stringEnd(text, end) - 1
    else if (character === 123 || character === 91) depth++
    else if ((character === 125 || character === 93) && --depth === 0) return end + 1
  }
  return text.length
}
