import { type Expression, type SqlBool, sql } from 'kysely'

/**
 * True when the column contains the keyword, taken literally: `%` and `_` have no special meaning. The database lowers both
 * sides, because one engine lowers only ASCII and would miss `Ü` in `Übung`.
 */
export const contains = (column: Expression<string | null>, keyword: string) => {
  const pattern = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`lower(${column}) LIKE lower(${pattern}) ESCAPE '\\'`
}

/** True when the column, a comma list, has this entry. `replace` is the one case-sensitive search that both engines share. */
export const lists = (column: Expression<string>, entry: string) =>
  sql<SqlBool>`replace(',' || ${column} || ',', ${`,${entry},`}, '') <> ',' || ${column} || ','`

/** An order: what the keyword means exactly, by its name or id, comes before what only contains it. */
export const exactFirst = (keyword: string, name: Expression<string>, id?: Expression<number>) => {
  const meant = id === undefined ? undefined : keywordId(keyword)
  const isNamed = sql<SqlBool>`lower(${name}) = lower(${keyword})`
  return sql<number>`CASE WHEN ${meant === undefined ? isNamed : sql`${isNamed} OR ${id} = ${meant}`} THEN 0 ELSE 1 END`
}

/** The id that a keyword may also mean. */
export const keywordId = (keyword: string) => (/^[1-9]\d{0,14}$/.test(keyword.trim()) ? Number(keyword) : undefined)
