import { lineOf } from './source-parts.ts'

/** Columns whose numbers must be explained by a ledger row or an open hold. */
const MONEY_COLUMNS: Record<string, string[]> = {
  users: ['quota', 'held', 'overrun', 'used_quota', 'request_count'],
  tokens: ['remain_quota', 'held', 'used_quota'],
  channels: ['used_quota'],
}
const MONEY_TABLES = ['holds', 'ledger', 'owners']

/**
 * Places where a source writes money: with Kysely's `updateTable(…).set(…)`, in SQL text, or into a money table. A `.set(changes)` built
 * elsewhere is not detected here; the column types of the schema prevent that.
 */
export function moneyWrites(source: string): { line: number; what: string }[] {
  return [...kyselyUpdates(source), ...sqlUpdates(source), ...tableWrites(source)].map(({ index, what }) => ({
    line: lineOf(source, index),
    what,
  }))
}

function* kyselyUpdates(source: string) {
  for (const match of source.matchAll(/\bupdateTable\(\s*['"`](\w+)['"`]\s*\)/g)) {
    const statement = source.slice(match.index).split(/\.execute|\n\s*\n/)[0] ?? ''
    const columns = columnsOf(match[1])
    if (columns === undefined) continue
    const named = new RegExp(String.raw`(?:[{,(]\s*['"]?|\bset\(\s*['"])(${columns})\b['"]?\s*[:,}]`)
    for (const set of statement.matchAll(/\.set\(/g)) {
      const column = argumentsFrom(statement, set.index + '.set('.length - 1).match(named)?.[1]
      if (column !== undefined) yield { index: match.index, what: `${match[1]}.${column}` }
    }
  }
}

function* sqlUpdates(source: string) {
  for (const match of source.matchAll(/\bupdate\s+["']?(\w+)["']?\s+set\b([^;`]*)/gi)) {
    const columns = columnsOf(match[1]?.toLowerCase())
    const assigned = (match[2] ?? '').split(/\bwhere\b/i)[0] ?? ''
    const column = columns && assigned.match(new RegExp(String.raw`(?<![\w.])["']?(${columns})\b["']?\s*=`))?.[1]
    if (column) yield { index: match.index, what: `${match[1]}.${column}` }
  }
}

function* tableWrites(source: string) {
  const tables = MONEY_TABLES.join('|')
  const kysely = new RegExp(
    String.raw`\b(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*['"](${tables})['"]`,
    'g',
  )
  const sql = new RegExp(String.raw`\b(?:insert\s+into|update|delete\s+from)\s+["']?(${tables})\b`, 'gi')
  for (const match of [...source.matchAll(kysely), ...source.matchAll(sql)]) {
    yield { index: match.index, what: `table ${match[1]}` }
  }
}

const columnsOf = (table: string | undefined) => MONEY_COLUMNS[table ?? '']?.join('|')

/** The text inside the parentheses that open at `open`. */
function argumentsFrom(text: string, open: number) {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return text.slice(open, at)
  }
  return text.slice(open)
}
