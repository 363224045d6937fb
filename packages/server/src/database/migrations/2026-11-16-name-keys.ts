import { type Kysely, sql } from 'kysely'

/**
 * `users.name_key` is what a reader sees of the username, so that no two accounts look alike. It is filled in at the next
 * start; accounts whose key an older one has keep null, and go on working. `oauth_states.provider` is the service that a
 * sign-in was sent to, where the console said so.
 */
export async function up(db: Kysely<unknown>) {
  await sql.raw('ALTER TABLE users ADD COLUMN name_key text').execute(db)
  await sql.raw('CREATE UNIQUE INDEX users_name_key ON users (name_key)').execute(db)
  await sql.raw('ALTER TABLE oauth_states ADD COLUMN provider text').execute(db)
}
