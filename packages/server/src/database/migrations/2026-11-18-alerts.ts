import { type Kysely, sql } from 'kysely'

/**
 * An alert rule says what is looked at, from which threshold on, and how long nothing more is said; `owner_id` is 0 for
 * the gateway's own rules, otherwise the user's. `alert_states` has what a rule found, by subject: since when, and when it
 * was last told, so that restarts and other nodes know. A destination is where messages go; its address and secret are
 * sealed. A delivery is one message to one destination, tried until it is accepted or given up; `message` is the JSON of
 * what is sent.
 *
 * `owners.lost_at`: when others found that the process had died without closing its epoch.
 */
export async function up(db: Kysely<unknown>, types: { id: string; int: string; real: string; clustered: string }) {
  const { id, int, real, clustered } = types
  const statements = [
    `CREATE TABLE alert_rules (
      id ${id},
      owner_id ${int} NOT NULL,
      kind text NOT NULL,
      threshold ${real} NOT NULL,
      minimum ${int} NOT NULL,
      quiet_minutes ${int} NOT NULL,
      enabled ${int} NOT NULL,
      destinations text NOT NULL,
      created_time ${int} NOT NULL
    )`,
    'CREATE INDEX alert_rules_owner ON alert_rules (owner_id, kind)',
    `CREATE TABLE alert_states (
      rule_id ${int} NOT NULL,
      subject text NOT NULL,
      firing ${int} NOT NULL,
      since ${int} NOT NULL,
      told_at ${int} NOT NULL,
      is_told ${int} NOT NULL,
      title text NOT NULL,
      PRIMARY KEY (rule_id, subject)
    )${clustered}`,
    `CREATE TABLE alert_destinations (
      id ${id},
      owner_id ${int} NOT NULL,
      way text NOT NULL,
      name text NOT NULL,
      target_sealed text NOT NULL,
      address_hint text NOT NULL,
      has_secret ${int} NOT NULL,
      private_allowed ${int} NOT NULL,
      language text NOT NULL,
      zone text NOT NULL,
      created_time ${int} NOT NULL
    )`,
    'CREATE INDEX alert_destinations_owner ON alert_destinations (owner_id)',
    `CREATE TABLE alert_deliveries (
      id ${id},
      owner_id ${int} NOT NULL,
      rule_id ${int} NOT NULL,
      destination_id ${int} NOT NULL,
      kind text NOT NULL,
      title text NOT NULL,
      way text NOT NULL,
      destination_name text NOT NULL,
      message text NOT NULL,
      state text NOT NULL,
      attempts ${int} NOT NULL,
      created_time ${int} NOT NULL,
      tried_at ${int} NOT NULL,
      next_at ${int} NOT NULL,
      error text NOT NULL
    )`,
    'CREATE INDEX alert_deliveries_owner ON alert_deliveries (owner_id, id)',
    "CREATE INDEX alert_deliveries_due ON alert_deliveries (next_at) WHERE state = 'pending'",
    `ALTER TABLE owners ADD COLUMN lost_at ${int}`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
