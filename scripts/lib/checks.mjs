import { findBun } from './packages.mjs'
import { run, wasInterrupted } from './run.mjs'

const INCREMENTAL = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types']

/** @type {Record<string, () => string[]>} */
const CHECKS = {
  // An incomplete lockfile goes unnoticed where packages are already installed, and breaks every fresh clone.
  lockfile: () => ['npm', 'ci', '--dry-run', '--ignore-scripts', '--offline', '--loglevel=error'],
  // Incremental, so that later runs only check what has changed. Several checkers infer the same types several times: one
  // takes a third less processor time, and the other checks keep the second core busy.
  types: () => ['node_modules/.bin/tsc', '-p', '.', '--checkers', '1', ...INCREMENTAL],
  lint: () => ['node_modules/.bin/biome', 'check', '--error-on-warnings'],
  imports: () => [findBun(), 'scripts/import-rules.ts'],
  tidy: () => [findBun(), 'scripts/tidy.ts'],
  texts: () => [findBun(), 'scripts/text-keys.ts'],
  dead: () => ['node_modules/.bin/knip', '--no-config-hints', '--no-progress'],
  providers: () => [findBun(), 'scripts/providers-doc.ts', '--check'],
  architecture: () => [findBun(), 'scripts/architecture-doc.ts', '--check'],
  guide: () => [findBun(), 'scripts/guide-check.ts'],
  spec: () => [findBun(), 'scripts/coverage-spec.ts', '--fail'],
}

/**
 * All static checks; each counts as one.
 *
 * @param {string[]} names all when empty
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export async function runChecks(names = []) {
  const unknown = names.filter((name) => !(name in CHECKS))
  if (unknown.length > 0)
    throw new Error(`No such check: ${unknown.join(', ')}. There are ${Object.keys(CHECKS).join(', ')}.`)

  const chosen = Object.keys(CHECKS).filter((name) => names.length === 0 || names.includes(name))
  const others = chosen.filter((name) => name !== SLOWEST)
  /** @type {import('./tally.mjs').Tally} */
  const tally = { passed: 0, failed: 0, complaints: [] }
  const inTurn = async () => {
    for (const name of others) if (!wasInterrupted()) await check(name, tally)
  }
  const done = inTurn()
  await Promise.all([done, ...(chosen.includes(SLOWEST) ? [check(SLOWEST, tally, done)] : [])])
  return tally
}

/** Takes half of the time on its own core, and runs beside all others. */
const SLOWEST = 'types'

/**
 * @param {string} name
 * @param {import('./tally.mjs').Tally} tally
 * @param {Promise<unknown>} [after] others have the screen until then
 */
async function check(name, tally, after) {
  const [command = '', ...args] = CHECKS[name]?.() ?? []
  const startedMs = Date.now()
  const passed = (await run(command, args, after === undefined ? {} : { after })) === 0
  if (wasInterrupted()) return
  console.log(`${passed ? 'ok    ' : 'FAILED'} check ${name} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`)
  tally[passed ? 'passed' : 'failed'] += 1
  if (!passed) tally.complaints.push(`FAILED check ${name}`)
}
