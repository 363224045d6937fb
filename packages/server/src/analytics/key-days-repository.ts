import { sql } from 'kysely'
import { DAY, HOUR } from '../common/time-units.ts'
import { type Tx, transact } from '../database/client.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import { packKeyHours } from './packed-keys.ts'
import type { FigureColumn } from './sums-repository.ts'

const ROWS_AT_ONCE = 100

type Row = { model_name: string; channel: number; hour: number; id: number } & Record<FigureColumn, number>

/** Packs who called which model at which channel in the hours of a day, again if they were. */
export const packKeyDay = (db: FiguresDb, day: number) =>
  transact(db, async (tx) => {
    await addKeys(tx, day)
    const { rows } = await sql<Row>`SELECT model_name, channel, hour, id, ${sql.raw(FIGURE_COLUMNS.join(', '))}
      FROM usage_hours JOIN figure_keys USING (user_id, token_name, username)
      WHERE user_id IN (SELECT user_id FROM key_usage WHERE span = ${sql.lit(DAY)} AND start = ${day})
        AND hour >= ${day} AND hour < ${day + DAY}`.execute(tx)
    const packed = [...Map.groupBy(rows, ({ model_name, channel }) => `${channel} ${model_name}`).values()]
      .map((some) => packedRow(day, some))
      .sort((one, other) => (one.model_name < other.model_name ? -1 : 1))
    for (let first = 0; first < packed.length; first += ROWS_AT_ONCE)
      await tx
        .insertInto('figure_days')
        .values(packed.slice(first, first + ROWS_AT_ONCE))
        .onConflict((conflict) =>
          conflict
            .columns(['dimension', 'model_name', 'channel', 'day'])
            .doUpdateSet({ hours: (eb) => eb.ref('excluded.hours') }),
        )
        .execute()
  })

function packedRow(day: number, rows: readonly Row[]) {
  const { model_name = '', channel = 0 } = rows[0] ?? {}
  const hours = rows.map((row) => ({
    hour: (row.hour - day) / HOUR,
    key: row.id,
    sums: FIGURE_COLUMNS.map((column) => row[column]),
  }))
  return { dimension: 'key', model_name, channel, day, hours: packKeyHours(hours) }
}

/** Numbers the keys that have none, after those that are known, so that readers need only the newest. */
const addKeys = (tx: Tx, day: number) =>
  sql`INSERT INTO figure_keys (id, user_id, username, token_name)
    SELECT (SELECT coalesce(max(id), 0) FROM figure_keys) + row_number() OVER (ORDER BY user_id, token_name, username),
      user_id, username, token_name
    FROM key_usage AS called
    WHERE span = ${sql.lit(DAY)} AND start = ${day} AND NOT EXISTS (SELECT 1 FROM figure_keys AS known
      WHERE known.user_id = called.user_id AND known.token_name = called.token_name AND known.username = called.username)`.execute(
    tx,
  )
