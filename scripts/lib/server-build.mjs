import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { findBun } from './packages.mjs'
import { ROOT, run } from './run.mjs'
import { hashOfSources } from './source-hash.mjs'

const SERVER = join(ROOT, 'packages', 'server')
// Beside `src` and as deep, so that what is found from there is found from here.
const DIST = join(SERVER, 'dist')
const STAMP = join(DIST, '.build.json')
const MAIN = 'main.js'
/** Each is a file of its own that keeps its name: the program, and what it starts as threads. */
const ENTRIES = ['packages/server/src/main.ts', 'packages/server/src/ledger/audit/audit-worker.ts']

/**
 * Puts the server's 900 modules together in a few files when their sources are not those of the last build, and answers
 * the file to run: found, read and linked one by one they take a third of the start.
 */
export async function ensureServer() {
  const sources = hashOfSources(['packages/server/src', 'packages/providers/src', 'packages/contract/src'])
  const last = lastBuild()
  if (last.sources !== sources) await build(sources, last.files)
  return join(DIST, MAIN)
}

/**
 * A server may run on the last build and still load parts of it, so those stay for one build more: a part is named
 * after its contents. Whoever starts meanwhile finds the whole of one build, because its program comes last.
 *
 * @param {string} sources
 * @param {string[]} lastFiles
 */
async function build(sources, lastFiles) {
  mkdirSync(DIST, { recursive: true })
  const fresh = mkdtempSync(join(SERVER, '.dist-'))
  try {
    // Source maps cost no time at the start. Smaller names would gain none, and be read in every stack without them.
    const flags = ['--target=bun', '--splitting', '--sourcemap=linked', '--entry-naming=[name].[ext]']
    const code = await run(findBun(), ['build', ...flags, `--outdir=${fresh}`, ...ENTRIES], { quiet: true })
    if (code !== 0) throw new Error('The server could not be built; the reason is above.')
    const files = readdirSync(fresh).sort((one, other) => Number(one === MAIN) - Number(other === MAIN))
    rmSync(STAMP, { force: true })
    for (const file of files) renameSync(join(fresh, file), join(DIST, file))
    const kept = new Set([...files, ...lastFiles])
    for (const file of readdirSync(DIST)) if (!kept.has(file)) rmSync(join(DIST, file), { force: true })
    writeFileSync(STAMP, JSON.stringify({ sources, files }))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** @returns {{ sources: string, files: string[] }} */
function lastBuild() {
  return existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, 'utf8')) : { sources: '', files: [] }
}
