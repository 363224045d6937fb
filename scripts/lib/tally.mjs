/** @typedef {{ passed: number, failed: number, complaints: string[] }} Tally */

/**
 * The totals of a JUnit report as Bun writes it. A skipped test proves nothing and a test file without a report may have crashed, so both
 * count as failed.
 *
 * @param {object} run
 * @param {string | undefined} run.xml undefined when no report was written
 * @param {number} run.exitCode
 * @param {string[]} run.files the test files that must appear in it
 * @param {boolean} run.skipsAllowed where a name pattern leaves tests out on purpose
 * @returns {Tally}
 */
export function tallyJunit({ xml, exitCode, files, skipsAllowed }) {
  const totals = xml?.match(/<testsuites\b[^>]*>/)?.[0]
  if (xml === undefined || totals === undefined) {
    return { passed: 0, failed: 1, complaints: [`The tests ended without a report, exit code ${exitCode}.`] }
  }
  const failures = numberIn(totals, 'failures')
  const skipped = numberIn(totals, 'skipped')
  const silent = files.filter((file) => !xml.includes(`file="${file}"`))
  const complaints = failuresIn(xml)
  complaints.push(...silent.map((file) => `${file} reported no test: it did not load, or has none.`))
  const skips = skipsAllowed ? 0 : skipped
  if (skips > 0) complaints.push(`${skips} skipped or todo tests count as failed: a test runs or goes.`)

  const failed = failures + skips + silent.length
  const unexplained = exitCode !== 0 && failed === 0
  if (unexplained) complaints.push(`All tests passed, but the run ended with exit code ${exitCode}.`)
  return { passed: numberIn(totals, 'tests') - failures - skipped, failed: unexplained ? 1 : failed, complaints }
}

/**
 * The totals of Playwright's JSON report. Flaky means that a test failed and passed on retry: that is a failure.
 *
 * @param {{ json: string | undefined, exitCode: number }} run
 * @returns {Tally}
 */
export function tallyPlaywright({ json, exitCode }) {
  const stats = statsOf(json)
  if (stats === undefined) {
    return { passed: 0, failed: 1, complaints: [`The browser tests ended without a report, exit code ${exitCode}.`] }
  }
  const complaints = []
  if (stats.skipped > 0) complaints.push(`${stats.skipped} skipped browser tests count as failed: a test runs or goes.`)
  if (stats.flaky > 0)
    complaints.push(`${stats.flaky} browser tests passed only when tried again: they count as failed.`)
  const failed = stats.unexpected + stats.flaky + stats.skipped
  const unexplained = failed === 0 && (exitCode !== 0 || stats.expected === 0)
  if (unexplained)
    complaints.push(`No browser test failed, but ${stats.expected} ran and the exit code is ${exitCode}.`)
  return { passed: stats.expected, failed: unexplained ? 1 : failed, complaints }
}

/**
 * The failures and their locations, a line each: a run prints thousands of lines, and people read its end.
 *
 * @param {string} xml
 */
function failuresIn(xml) {
  const failures = xml.matchAll(/<testcase ([^>]*)>\s*<failure [^>]*message="([^"]*)"/g)
  return [...failures].map(([, tag = '', message = '']) => {
    const [file, line, name] = ['file', 'line', 'name'].map((key) => tag.match(new RegExp(`\\b${key}="([^"]*)"`))?.[1])
    return unescaped(`FAILED ${file}:${line} ${name}: ${message.replaceAll(/(&#10;)+/g, ' ')}`).trim()
  })
}

/** @type {Record<string, string>} */
const ENTITIES = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }

/** @param {string} text */
const unescaped = (text) => text.replaceAll(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole)

/**
 * @param {string} tag
 * @param {string} name
 */
function numberIn(tag, name) {
  return Number(tag.match(new RegExp(`\\b${name}="(\\d+)"`))?.[1] ?? 0)
}

/**
 * @param {string | undefined} json
 * @returns {Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number> | undefined}
 */
function statsOf(json) {
  try {
    return JSON.parse(json ?? '').stats
  } catch {
    return undefined // Cut off or empty: the caller says so.
  }
}
