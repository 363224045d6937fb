// `npm test`: installs what the tests need, runs every check and every test, and ends with `N passed, N failed`.
// `npm test -- <filter>` runs the matching tests of `bun test` alone, with `--engine postgres` on PostgreSQL; flags of
// `bun test` may follow.
import { runChecks } from './lib/checks.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { INTERRUPTED, script, wasInterrupted } from './lib/run.mjs'
import { givenServices, startServices } from './lib/services.mjs'
import { hasBrowserTests, runBrowserTests, runBunTests, testFiles } from './lib/suites.mjs'
import { readTestArguments } from './lib/test-arguments.mjs'

/** What these promise is on the wire: which engine keeps the rows makes no difference, and on PostgreSQL they would take minutes. */
const WIRE_TESTS = ['packages/server/src/relay/surfaces/', 'packages/server/src/security/vendor-canaries.test.ts']

const words = process.argv.slice(2)
/** @type {import('./lib/tally.mjs').Tally} */
const total = { passed: 0, failed: 0, complaints: [] }

await script(async () => {
  try {
    const asked = readTestArguments(words, testFiles())
    await ensurePackages()
    const services = givenServices() ?? (await startServices())
    try {
      for (const suite of suitesFor(services.env, asked)) {
        if (!wasInterrupted()) add(await suite())
      }
    } finally {
      await services.stop()
    }
  } catch (error) {
    add({ passed: 0, failed: 1, complaints: [error instanceof Error ? error.message : String(error)] })
  }
  for (const complaint of total.complaints) console.error(complaint)
  if (wasInterrupted()) console.error('Stopped before the end.')
  console.log(`${total.passed} passed, ${total.failed} failed`)
  if (wasInterrupted()) return INTERRUPTED
  return total.failed === 0 ? 0 : 1
})

/**
 * @param {Record<string, string>} env
 * @param {ReturnType<typeof readTestArguments>} asked
 */
function suitesFor(env, asked) {
  if (words.length > 0) return [() => runBunTests({ env: { ...env, ...asked.env }, args: asked.args })]
  const suites = [() => runChecks(), () => runOnBothEngines(env)]
  return hasBrowserTests() ? [...suites, () => runBrowserTests({ env })] : suites
}

/**
 * The server's tests run on both engines, because its promises hold on both: at the same time, because each run uses one core and often
 * waits. On PostgreSQL they take twice as long, so a quarter of its files runs where SQLite's have ended.
 *
 * @param {Record<string, string>} env
 */
async function runOnBothEngines(env) {
  const postgres = { ...env, TEST_ENGINE: 'postgres' }
  const files = testFiles().filter(
    (file) => file.startsWith('packages/server/') && !WIRE_TESTS.some((path) => file.startsWith(path)),
  )
  const [most, rest] = [files.filter((_, index) => index % 4 !== 0), files.filter((_, index) => index % 4 === 0)]
  const onSqlite = runBunTests({ env })
  const atOnce = runBunTests({ env: postgres, args: most, after: onSqlite })
  const afterwards = onSqlite.then(() => runBunTests({ env: postgres, args: rest, after: atOnce }))
  const tallies = await Promise.all([onSqlite, atOnce, afterwards])
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
    complaints: tallies.flatMap(({ complaints }) => complaints),
  }
}

/** @param {import('./lib/tally.mjs').Tally} tally */
function add({ passed, failed, complaints }) {
  total.passed += passed
  total.failed += failed
  total.complaints.push(...complaints)
}
