import { isJson } from '@tollgate/contract'

export interface MappingRow {
  from: string
  to: string
}

/** The rows of a mapping text; undefined when it is not a JSON object from name to name. Empty text has no rows. */
export function mappingRows(text: string): MappingRow[] | undefined {
  if (text.trim() === '') return []
  if (!isJson(text)) return undefined
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const rows = Object.entries(value).map(([from, to]: [string, unknown]) => ({ from, to }))
  return rows.every((row): row is MappingRow => typeof row.to === 'string') ? rows : undefined
}

/** The inverse. Rows without a name on the left are skipped; of duplicates the last counts. */
export function mappingText(rows: readonly MappingRow[]) {
  const named = rows.filter(({ from }) => from.trim() !== '')
  if (named.length === 0) return ''
  return JSON.stringify(Object.fromEntries(named.map(({ from, to }) => [from.trim(), to.trim()])), null, 2)
}
