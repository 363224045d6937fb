import { expect, test } from 'bun:test'
import { tallyJunit, tallyPlaywright } from './tally.mjs'

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="9" assertions="12" failures="2" skipped="3" time="0.1">
  <testsuite name="packages/a.test.ts" file="packages/a.test.ts" tests="9" failures="2" skipped="3"></testsuite>
</testsuites>`
const GREEN = REPORT.replace('failures="2" skipped="3"', 'failures="0" skipped="0"')

const junit = (given: Partial<Parameters<typeof tallyJunit>[0]>) =>
  tallyJunit({ xml: GREEN, exitCode: 0, files: ['packages/a.test.ts'], skipsAllowed: false, ...given })

test('a green report counts as it says', () => {
  expect(junit({})).toEqual({ passed: 9, failed: 0, complaints: [] })
})

test('a skipped test counts as failed, unless a name pattern skipped it', () => {
  expect(junit({ xml: REPORT, exitCode: 1 })).toMatchObject({ passed: 4, failed: 5 })
  expect(junit({ xml: REPORT, exitCode: 1, skipsAllowed: true })).toMatchObject({
    passed: 4,
    failed: 2,
    complaints: [],
  })
})

test('a failure is reported with its place and reason, on one line', () => {
  const failure = `<testcase name="money &quot;x&quot;" classname="" time="1" file="packages/a.test.ts" line="3" assertions="1">
      <failure type="AssertionError" message="expect(a).toBe(b)&#10;&#10;Expected: 2&#10;"></failure>
    </testcase>`
  const { complaints } = junit({ xml: REPORT.replace('></testsuite>', `>${failure}</testsuite>`), skipsAllowed: true })
  expect(complaints).toEqual(['FAILED packages/a.test.ts:3 money "x": expect(a).toBe(b) Expected: 2'])
})

test('a test file without a report counts as failed', () => {
  const { failed, complaints } = junit({ files: ['packages/a.test.ts', 'packages/b.test.ts'] })
  expect(failed).toBe(1)
  expect(complaints[0]).toStartWith('packages/b.test.ts reported no test')
})

test('a run without a report, cut short or green with a bad exit code, has failed', () => {
  expect(junit({ xml: undefined, exitCode: 0 })).toMatchObject({ passed: 0, failed: 1 })
  expect(junit({ xml: '<?xml version="1.0"?>\n<testsui' })).toMatchObject({ passed: 0, failed: 1 })
  expect(junit({ exitCode: 1 })).toMatchObject({ passed: 9, failed: 1 })
})

test('browser tests that are skipped or flaky count as failed', () => {
  const json = JSON.stringify({ stats: { expected: 5, unexpected: 1, flaky: 2, skipped: 3 } })
  expect(tallyPlaywright({ json, exitCode: 1 })).toMatchObject({ passed: 5, failed: 6 })
})

test('browser tests without a report, or without a test, have failed', () => {
  const none = JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 } })
  expect(tallyPlaywright({ json: undefined, exitCode: 0 })).toMatchObject({ passed: 0, failed: 1 })
  expect(tallyPlaywright({ json: '{"stats"', exitCode: 0 })).toMatchObject({ passed: 0, failed: 1 })
  expect(tallyPlaywright({ json: none, exitCode: 0 })).toMatchObject({ passed: 0, failed: 1 })
})
