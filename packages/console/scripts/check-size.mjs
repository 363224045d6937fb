/*
 * Sums the JavaScript that opening a page loads: the entry, the page's own file, what the shell fetches for a signed-in user, and all
 * their static imports. Part of every build; alone, it prints the whole table: `node packages/console/scripts/check-size.mjs`.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Gzipped kilobytes and requests: of visitors' pages, whose heaviest is /login, and of all others. */
const BUDGETS = { visitor: { kilobytes: 182, files: 12 }, page: { kilobytes: 330, files: 15 } }

/** @typedef {Record<string, { file: string, name?: string, imports?: string[] }>} Manifest */

/**
 * What each page weighs, heaviest first.
 * @param {string} dist
 */
export function pageSizes(dist) {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
  const pages = Object.keys(manifest).filter((key) => /features\/.*-page\.tsx$/.test(key))
  if (pages.length === 0) throw new Error('The manifest names no pages')
  const frame = Object.keys(manifest).filter((key) => manifest[key]?.name === 'frame')
  if (frame.length !== 1) throw new Error('The manifest names no frame')
  return pages
    .map((key) => {
      const visitor = key.includes('features/session/')
      const files = [...filesOf(manifest, ['index.html', key, ...(visitor ? [] : frame)])]
      const kilobytes = files.reduce((total, file) => total + statSync(join(dist, `${file}.gz`)).size, 0) / 1024
      const budget = visitor ? BUDGETS.visitor : BUDGETS.page
      const tooBig = kilobytes > budget.kilobytes || files.length > budget.files
      return { page: key, kilobytes, files: files.length, budget, tooBig }
    })
    .sort((a, b) => b.kilobytes - a.kilobytes)
}

/** @param {ReturnType<typeof pageSizes>[number]} size */
export const sizeLine = ({ page, kilobytes, files, budget, tooBig }) =>
  [
    tooBig ? 'TOO BIG' : '     ok',
    `${kilobytes.toFixed(1).padStart(6)} KB of ${budget.kilobytes}`,
    `${String(files).padStart(3)} files of ${budget.files}`,
    page,
  ].join('  ')

/**
 * The files of these modules and of all that they import statically.
 * @param {Manifest} manifest
 * @param {string[]} keys
 * @param {Set<string>} seen
 */
function filesOf(manifest, keys, seen = new Set()) {
  for (const key of keys) {
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`The manifest does not know ${key}`)
    if (seen.has(chunk.file)) continue
    seen.add(chunk.file)
    filesOf(manifest, chunk.imports ?? [], seen)
  }
  return seen
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = fileURLToPath(new URL('../dist', import.meta.url))
  for (const size of pageSizes(dist)) process.stdout.write(`${sizeLine(size)}\n`)
}
