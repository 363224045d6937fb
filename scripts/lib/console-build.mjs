import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBun } from './packages.mjs'
import { ROOT, run } from './run.mjs'
import { hashOfSources } from './source-hash.mjs'

const CONSOLE = join(ROOT, 'packages', 'console')
const STAMP = join(CONSOLE, 'dist', '.sources')

/** Builds the console when its sources, or the contract's, have changed since the last build. */
export async function ensureConsole() {
  if (!existsSync(join(CONSOLE, 'index.html')) || !existsSync(join(CONSOLE, 'vite.config.ts'))) return
  const sources = hashOfSources(['packages/console', 'packages/contract/src'])
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return

  console.log('Building the console...')
  // Under Bun, whose version we choose: Vite requires a newer Node 20 than some have.
  const vite = ['--bun', 'node_modules/vite/bin/vite.js', 'build', 'packages/console', '--logLevel', 'warn']
  // Every build is a production build, even one started by a test: React differs for other values.
  const code = await run(findBun(), vite, { env: { NODE_ENV: 'production' } })
  if (code !== 0) throw new Error('The console could not be built; the reason is above.')
  writeFileSync(STAMP, sources)
}
