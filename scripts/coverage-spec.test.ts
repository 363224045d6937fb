import { expect, test } from 'bun:test'
import { specCoverage } from './coverage-spec.ts'
import { withTree } from './lib/temporary-tree.ts'

const ROWS = `
| id | where | row |
|---|---|---|
| R1.01 | both | Let a user manage tokens (\`a\\|b\`). |
| R1.02 | server | Count quota. |
| R1.03 | server | Relay requests. |
| R2.01 | console | Show a page. |
`
// Concatenated, so that this file itself names no row.
const title = (...ids: string[]) => `test('it works [${ids.join('')}]', () => {})`

const coverage = (files: Record<string, string>, where: string[] = []) =>
  withTree({ 'docs/spec-rows.md': ROWS, ...files }, (root) => {
    const { unnamed, excused, errors } = specCoverage(root, where)
    return { unnamed: unnamed.map(({ id }) => id), excused: excused.map(({ id }) => id), errors }
  })

test('rows that no test names are listed, one title may name several', () => {
  const tests = {
    'packages/server/src/tokens/tokens.test.ts': title('R1.01', ' ', 'R1.02'),
    'e2e/page.ts': title('R1.02', ', ', 'R2.01'),
  }
  expect(coverage(tests)).toEqual({ unnamed: ['R1.03'], excused: [], errors: [] })
})

test('only the requested areas are listed', () => {
  expect(coverage({}, ['server']).unnamed).toEqual(['R1.02', 'R1.03'])
  expect(coverage({}, ['both', 'console']).unnamed).toEqual(['R1.01', 'R2.01'])
})

test('brackets elsewhere, and files that are not tests, name nothing', () => {
  const files = {
    'packages/server/src/a.test.ts': `// see [R1.01]\n${title('R1.02')}`,
    'packages/server/src/a.ts': title('R1.03'),
  }
  expect(coverage(files).unnamed).toEqual(['R1.01', 'R1.03', 'R2.01'])
})

test('a row that does not exist is an error, and so is a misspelt one', () => {
  const { errors } = coverage({ 'scripts/a.test.ts': `${title('R9.99')}\n${title('R1.01', ';R1.02')}` })
  expect(errors).toEqual([
    'scripts/a.test.ts names R9.99, and there is no such row',
    'scripts/a.test.ts names R1.01;R1.02, and there is no such row',
  ])
})

test('a row may be excused with a reason', () => {
  const pending = { 'docs/spec-pending.txt': '# what the relay will show\nR1.03 needs the relay\n' }
  expect(coverage(pending, ['server'])).toEqual({ unnamed: ['R1.02'], excused: ['R1.03'], errors: [] })
})

test('an excuse without a reason, without a row, or without need is an error', () => {
  const { errors } = coverage({
    'docs/spec-pending.txt': 'R1.02\nR8.88 needs the relay\nR1.03 needs the relay',
    'e2e/page.ts': title('R1.03'),
  })
  expect(errors).toEqual([
    'spec-pending.txt excuses R8.88, and there is no such row',
    'spec-pending.txt excuses R1.02 without a reason',
    'spec-pending.txt still excuses R1.03, but e2e/page.ts names it',
  ])
})
