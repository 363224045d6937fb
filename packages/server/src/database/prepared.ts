import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './client.ts'

/** Stands for the value while the query is compiled. No stored text contains it. */
const PLACE = '\u0000value\u0000'

/**
 * A query for one row by one text, built once for each database. Building it takes Kysely several times as long as SQLite needs for
 * the row, which matters for what calls ask.
 */
export const prepared = <Row>(build: (db: Db, value: string) => Compilable<Row>) => {
  const compiled = new WeakMap<Db, CompiledQuery<Row>>()
  return async (db: Db, value: string) => {
    const known = compiled.get(db)
    const query = known ?? build(db, PLACE).compile()
    if (known === undefined) compiled.set(db, query)
    const parameters = query.parameters.map((parameter) => (parameter === PLACE ? value : parameter))
    const { rows } = await db.executeQuery<Row>({ ...query, parameters })
    return rows[0]
  }
}
