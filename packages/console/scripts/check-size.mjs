/*
 * Adds up the JavaScript that opening a page loads: the entry, the page's own file, what the frame fetches for someone
 * who is signed in, and everything these import statically. Part of every build; alone, it prints the whole table:
 * `node packages/console/scripts/check-size.mjs`.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Gzipped kilobytes: of the visitor's pages, whose heaviest is /login, and of all others. */
const BUDGETS = { visitor: 180, page: 330 }

const FRAME = ['app/shell/sidebar', 'app/shell/search-button', 'app/shell/user-menu', 'ui/dialog-host']

/** @typedef {Record<string, { file: string, imports?: string[] }>} Manifest */

/**
 * What each page weighs, heaviest first.
 * @param {string} dist
 */
export function pageSizes(dist) {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
  const pages = Object.keys(manifest).filter((key) => /features\/.*-page\.tsx$/.test(key))
  if (pages.length === 0) throw new Error('The manifest names no pages')
  return pages
    .map((key) => {
      const visitor = key.includes('features/session/')
      const frame = visitor ? [] : FRAME.map((file) => `src/${file}.tsx`)
      const files = filesOf(manifest, ['index.html', key, ...frame])
      const bytes = [...files].reduce((total, file) => total + statSync(join(dist, `${file}.gz`)).size, 0)
      return { page: key, kilobytes: bytes / 1024, budget: visitor ? BUDGETS.visitor : BUDGETS.page }
    })
    .sort((a, b) => b.kilobytes - a.kilobytes)
}

/** @param {ReturnType<typeof pageSizes>[number]} size */
export const sizeLine = ({ page, kilobytes, budget }) =>
  `${kilobytes > budget ? 'TOO BIG' : '     ok'}  ${kilobytes.toFixed(1).padStart(6)} KB of ${budget}  ${page}`

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
