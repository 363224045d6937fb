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
// Beside `src` and at the same depth, so that relative paths work from both.
const DIST = join(SERVER, 'dist')
const STAMP = join(DIST, '.build.json')
const MAIN = 'main.js'
/** Each is a file of its own that keeps its name: the program, and its worker threads. */
const ENTRIES = [
  'packages/server/src/main.ts',
  'packages/server/src/ledger/audit/audit-worker.ts',
  'packages/server/src/ledger/stores/checkpoint-worker.ts',
]

/**
 * Bundles the server's 900 modules into a few files when their sources have changed since the last build, and returns the file to run:
 * resolving, reading and linking them one by one takes a third of the start.
 */
export async function ensureServer() {
  const sources = hashOfSources(['packages/server/src', 'packages/providers/src', 'packages/contract/src'])
  const last = lastBuild()
  if (last.sources !== sources) await build(sources, last.files)
  return join(DIST, MAIN)
}

/**
 * A server may run on the last build and still load parts of it, so those stay for one more build: a part is named after its contents.
 * A server that starts meanwhile finds one complete build, because its main file is written last.
 *
 * @param {string} sources
 * @param {string[]} lastFiles
 */
async function build(sources, lastFiles) {
  mkdirSync(DIST, { recursive: true })
  const fresh = mkdtempSync(join(SERVER, '.dist-'))
  try {
    // Source maps cost no startup time. Minified names would save none, and make stacks unreadable.
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
