import type { Db } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'

const TABLES = [
  'users',
  'sessions',
  'tokens',
  'channels',
  'redemptions',
  'options',
  'logs',
  'holds',
  'ledger',
  'mail_codes',
  'oauth_states',
  'audit_events',
  'channel_keys',
  'model_lists',
  'budgets',
  'alert_rules',
  'alert_destinations',
  'recordings',
  'files',
  'batches',
  'idempotency_keys',
] as const satisfies readonly (keyof Schema)[]

/** Everything that a call could have changed, as one text to compare. */
export const snapshot = async (db: Db) => {
  const rows = await Promise.all(TABLES.map((table) => db.selectFrom(table).selectAll().execute()))
  return rows
    .map((table) =>
      table
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n'),
    )
    .join('\n\n')
}
