import { type Kysely, sql } from 'kysely'

/**
 * Who called a model, or used a channel: without these, the days of all users are read. Calls do not wait while they are built,
 * because usage figures are added up later.
 */
export async function up(db: Kysely<unknown>) {
  await sql`CREATE INDEX usage_days_model ON usage_days (model_name, day)`.execute(db)
  await sql`CREATE INDEX usage_days_channel ON usage_days (channel, day)`.execute(db)
}
