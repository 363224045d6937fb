import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesUnder } from './files.mjs'
import { findBun } from './packages.mjs'
import { ROOT, run } from './run.mjs'

const CONSOLE = join(ROOT, 'packages', 'console')
const STAMP = join(CONSOLE, 'dist', '.sources')

/** Builds the console when its sources, or the contract's, are not those of the last build. */
export async function ensureConsole() {
  if (!existsSync(join(CONSOLE, 'index.html')) || !existsSync(join(CONSOLE, 'vite.config.ts'))) return
  const sources = hashOfSources()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return

  console.log('Building the console...')
  // Under Bun, whose version we choose: Vite asks for a newer Node 20 than some have.
  const vite = ['--bun', 'node_modules/vite/bin/vite.js', 'build', 'packages/console', '--logLevel', 'warn']
  const code = await run(findBun(), vite)
  if (code !== 0) throw new Error('The console could not be built; the reason is above.')
  writeFileSync(STAMP, sources)
}

/** Contents, not dates: a fresh checkout gives every file a new date. */
function hashOfSources() {
  const folders = [CONSOLE, join(ROOT, 'packages', 'contract', 'src')]
  const sources = folders.flatMap(filesUnder).filter((file) => !file.includes('.test.'))
  const hash = createHash('sha256')
  for (const file of [join(ROOT, 'package-lock.json'), ...sources]) {
    hash.update(relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}
