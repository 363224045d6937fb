import { type Expression, type SqlBool, sql } from 'kysely'

/**
 * True when the column contains the keyword, which is taken literally: `%` and `_` are characters like any other. Both
 * sides are lowered by the database, because one engine lowers no letters beyond ASCII and would miss `Ü` in `Übung`.
 */
export const contains = (column: Expression<string | null>, keyword: string) => {
  const pattern = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`lower(${column}) LIKE lower(${pattern}) ESCAPE '\\'`
}

/** True when the column, a list with commas, has this entry. `replace` is the one search that both engines do alike, letter by letter. */
export const lists = (column: Expression<string>, entry: string) =>
  sql<SqlBool>`replace(',' || ${column} || ',', ${`,${entry},`}, '') <> ',' || ${column} || ','`

/** The id that a keyword may stand for, next to being a text. */
export const keywordId = (keyword: string) => (/^[1-9]\d{0,14}$/.test(keyword.trim()) ? Number(keyword) : undefined)
