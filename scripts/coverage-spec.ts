// `npm run coverage:spec`: which rows of docs/spec-rows.md no test names. A test names rows at the end of its title:
// `test('a search is escaped [R7.12 R7.39]', …)`. Rows that cannot be shown yet stand in docs/spec-pending.txt with a reason.
//   --where server,both   only the rows kept by these
//   --fail                exit 1 when such a row is unnamed
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { filesUnder } from './lib/files.mjs'
import { excuses, type Row, rowsNamed, specRows } from './lib/spec-rows.ts'

export interface Coverage {
  unnamed: Row[]
  excused: Row[]
  /** Always wrong: unknown rows, excuses without a reason, obsolete excuses. */
  errors: string[]
}

export function specCoverage(root: string, where: string[]): Coverage {
  const rows = specRows(readFileSync(join(root, 'docs/spec-rows.md'), 'utf8'))
  const pending = excuses(readIfThere(join(root, 'docs/spec-pending.txt')))
  const named = namesInTests(root)
  const known = new Set(rows.map(({ id }) => id))

  const errors = [
    ...[...named].filter(([id]) => !known.has(id)).map(([id, file]) => `${file} names ${id}, and there is no such row`),
    ...[...pending]
      .filter(([id]) => !known.has(id))
      .map(([id]) => `spec-pending.txt excuses ${id}, and there is no such row`),
    ...[...pending]
      .filter(([, reason]) => reason === '')
      .map(([id]) => `spec-pending.txt excuses ${id} without a reason`),
    ...[...pending].flatMap(([id]) => {
      const file = named.get(id)
      return file === undefined ? [] : [`spec-pending.txt still excuses ${id}, but ${file} names it`]
    }),
  ]
  const wanted = rows.filter((row) => where.length === 0 || where.includes(row.where))
  const open = wanted.filter(({ id }) => !named.has(id))
  return {
    unnamed: open.filter(({ id }) => !pending.has(id)),
    excused: open.filter(({ id }) => pending.has(id)),
    errors,
  }
}

/** Row id → a file with a test that names it. */
function namesInTests(root: string) {
  const tests = [
    ...filesUnder(join(root, 'packages')).filter((file) => /\.test\.tsx?$/.test(file)),
    ...filesUnder(join(root, 'scripts')).filter((file) => /\.test\.tsx?$/.test(file)),
    ...filesUnder(join(root, 'e2e')).filter((file) => file.endsWith('.ts')),
  ]
  const named = new Map<string, string>()
  for (const file of tests) {
    for (const id of rowsNamed(readFileSync(file, 'utf8'))) named.set(id, relative(root, file))
  }
  return named
}

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

function print({ unnamed, excused, errors }: Coverage) {
  for (const where of new Set(unnamed.map((row) => row.where))) {
    const rows = unnamed.filter((row) => row.where === where)
    console.log(`\n${where}: no test names these ${rows.length} rows`)
    for (const { id, says } of rows) console.log(`  ${id}  ${says.length > 110 ? `${says.slice(0, 107)}...` : says}`)
  }
  for (const error of errors) console.error(error)
  console.log(`\n${unnamed.length} rows unnamed, ${excused.length} excused`)
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { where: { type: 'string' }, fail: { type: 'boolean' } } })
  const coverage = specCoverage(process.cwd(), values.where?.split(',') ?? [])
  print(coverage)
  process.exitCode = coverage.errors.length > 0 || (values.fail && coverage.unnamed.length > 0) ? 1 : 0
}
