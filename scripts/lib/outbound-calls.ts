import { lineOf } from './source-parts.ts'

/**
 * Lines that use the global `fetch` or open a socket. A method or property of that name is excluded: `Bun.serve({ fetch(request) {…} })`
 * answers calls, and `app.fetch(request)` stays inside the process.
 */
export function fetchCalls(code: string): number[] {
  const uses = [...code.matchAll(/(?<![\w$.])fetch\b(?!\s*\??:)/g)].filter(({ index }) => !isDefinition(code, index))
  const members = code.matchAll(/\b(?:globalThis|window|self|Bun)\.fetch\b/g)
  const sockets = code.matchAll(/(?<![\w$.])WebSocket\b(?=\s*(\(| as ))|\bBun\.connect\b/g)
  return [...uses, ...members, ...sockets].map(({ index }) => lineOf(code, index))
}

/** `fetch(…) {` and `fetch(…): Type` after the start of a member; also `typeof fetch`, which is a type. */
function isDefinition(code: string, index: number) {
  const before = code.slice(0, index).trimEnd()
  if (/\btypeof$/.test(before)) return true
  const after = code.slice(index + 'fetch'.length)
  const startsMember = before === '' || /[{},;]$|\basync$/.test(before)
  return startsMember && after.startsWith('(') && /^\s*[{:]/.test(after.slice(endOfArguments(after)))
}

function endOfArguments(text: string) {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return at + 1
  }
  return text.length
}
