import { type Kysely, sql } from 'kysely'

/**
 * The keys that called a model, or used a channel, are read from its index alone. SQLite's index of a clustered table contains them
 * already.
 */
export async function up(db: Kysely<unknown>, types: { clustered: string }) {
  if (types.clustered !== '') return
  await sql`DROP INDEX usage_days_model`.execute(db)
  await sql`DROP INDEX usage_days_channel`.execute(db)
  await sql`CREATE INDEX usage_days_model ON usage_days (model_name, day, user_id, token_name)`.execute(db)
  await sql`CREATE INDEX usage_days_channel ON usage_days (channel, day, user_id, token_name)`.execute(db)
}
