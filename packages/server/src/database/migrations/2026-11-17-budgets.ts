import { type Kysely, sql } from 'kysely'

/**
 * A budget says how much may be spent in a period by a key, a user, a group or a channel, of one model or of all.
 * `target` is the id or, of a group, the name. `budget_usage` has what calls have spent and set aside, by parts of the
 * budget's calendar: one for each period, or many small ones where the period rolls. An open hold keeps in `budgets`
 * what it counts against.
 */
export async function up(db: Kysely<unknown>, types: { id: string; int: string; clustered: string }) {
  const { id, int, clustered } = types
  const statements = [
    `CREATE TABLE budgets (
      id ${id},
      scope text NOT NULL,
      target text NOT NULL,
      model text NOT NULL,
      quota ${int} NOT NULL,
      period text NOT NULL,
      rolling ${int} NOT NULL,
      zone text NOT NULL,
      raise_quota ${int} NOT NULL,
      raise_until ${int} NOT NULL,
      managed ${int} NOT NULL,
      created_time ${int} NOT NULL,
      changed ${int} NOT NULL
    )`,
    'CREATE INDEX budgets_target ON budgets (scope, target)',
    `CREATE TABLE budget_usage (
      budget_id ${int} NOT NULL,
      slot ${int} NOT NULL,
      used ${int} NOT NULL,
      held ${int} NOT NULL,
      PRIMARY KEY (budget_id, slot)
    )${clustered}`,
    "ALTER TABLE holds ADD COLUMN budgets text NOT NULL DEFAULT ''",
    // What calls have to know of budgets is looked at together with the channels.
    ...(int === 'bigint'
      ? [
          `CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON budgets
            FOR EACH STATEMENT EXECUTE FUNCTION tollgate_tell('channels')`,
        ]
      : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
