import { UserStatus } from '@tollgate/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import type { Schema } from '../database/schema.ts'

export type StoredRule = Selectable<Schema['alert_rules']>
export type StoredState = Selectable<Schema['alert_states']>

export const alertRulesRepository = (db: Db) => ({
  insert: (row: Insertable<Schema['alert_rules']>) =>
    db.insertInto('alert_rules').values(row).returning('id').executeTakeFirstOrThrow(),

  find: (id: number) => db.selectFrom('alert_rules').selectAll().where('id', '=', id).executeTakeFirst(),

  all: (ownerId: number) => ofOwner(db, ownerId).selectAll().orderBy('id').execute(),

  count: (ownerId: number) => countRows(ofOwner(db, ownerId)),

  update: (id: number, columns: Updateable<Schema['alert_rules']>) =>
    db.updateTable('alert_rules').set(columns).where('id', '=', id).returningAll().executeTakeFirst(),

  async remove(id: number) {
    await db.deleteFrom('alert_rules').where('id', '=', id).execute()
    await db.deleteFrom('alert_states').where('rule_id', '=', id).execute()
  },

  /**
   * The gateway's rules, and those users' rules that may fire or are firing. There may be thousands of users with rules, and
   * most have nothing to report.
   */
  toEvaluate: (now: number) =>
    inForce(db)
      .selectAll('alert_rules')
      .where(sql<boolean>`(owner_id = 0 OR ${mayFire(now)} OR ${IS_FIRING})`)
      .orderBy('alert_rules.id')
      .execute(),

  isAny: async () => (await inForce(db).select('alert_rules.id').limit(1).executeTakeFirst()) !== undefined,

  /** Whether a rule covers this kind, so that the default notification is not needed. */
  async isCovered(ownerId: number, kind: string) {
    const found = await inForce(db)
      .select('alert_rules.id')
      .where('owner_id', '=', ownerId)
      .where('kind', '=', kind)
      .executeTakeFirst()
    return found !== undefined
  },

  states: (ruleId: number) => db.selectFrom('alert_states').selectAll().where('rule_id', '=', ruleId).execute(),

  forgetStates: (ruleId: number) => db.deleteFrom('alert_states').where('rule_id', '=', ruleId).execute(),

  async firing(ruleIds: readonly number[]) {
    if (ruleIds.length === 0) return new Map<number, number>()
    const rows = await db
      .selectFrom('alert_states')
      .select(['rule_id', sql<number>`count(*)`.as('count')])
      .where('rule_id', 'in', ruleIds)
      .where('firing', '=', 1)
      .groupBy('rule_id')
      .execute()
    return new Map(rows.map(({ rule_id, count }) => [rule_id, Number(count)]))
  },

  newestFiring: (ruleId: number, limit: number) =>
    db
      .selectFrom('alert_states')
      .select(['title', 'since'])
      .where('rule_id', '=', ruleId)
      .where('firing', '=', 1)
      .orderBy('since', 'desc')
      .orderBy('subject')
      .limit(limit)
      .execute(),

  /** True when this subject is new. */
  async addState(row: Insertable<Schema['alert_states']>) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('alert_states')
      .values(row)
      .onConflict((conflict) => conflict.columns(['rule_id', 'subject']).doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  },

  /** True when the state was unchanged since it was read: of two nodes only one continues. */
  async changeState(before: StoredState, columns: Updateable<Schema['alert_states']>) {
    const { numUpdatedRows } = await db
      .updateTable('alert_states')
      .set(columns)
      .where('rule_id', '=', before.rule_id)
      .where('subject', '=', before.subject)
      .where('firing', '=', before.firing)
      .where('told_at', '=', before.told_at)
      .where('is_told', '=', before.is_told)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },

  removeStatesOverSince: (before: number) =>
    db.deleteFrom('alert_states').where('firing', '=', 0).where('since', '<', before).execute(),
})

const ofOwner = (db: Db, ownerId: number) => db.selectFrom('alert_rules').where('owner_id', '=', ownerId)

/** Enabled, with a destination, and of an enabled account. */
const inForce = (db: Db) =>
  db
    .selectFrom('alert_rules')
    .where('enabled', '=', 1)
    .where('destinations', '<>', '[]')
    .where((rule) =>
      rule.or([
        rule('owner_id', '=', 0),
        rule('owner_id', 'in', db.selectFrom('users').select('id').where('status', '=', UserStatus.enabled)),
      ]),
    )

const IS_FIRING = sql<boolean>`EXISTS (SELECT 1 FROM alert_states WHERE rule_id = alert_rules.id AND firing = 1)`

/** A cheap filter for users' rules; the conditions decide exactly. */
const mayFire = (now: number) => sql<boolean>`CASE kind
  WHEN 'balance' THEN EXISTS (SELECT 1 FROM users WHERE users.id = owner_id AND quota < threshold)
  WHEN 'key' THEN EXISTS (SELECT 1 FROM tokens
    WHERE user_id = owner_id AND deleted_at IS NULL AND unlimited_quota = 0 AND remain_quota < threshold)
  WHEN 'key_expiry' THEN EXISTS (SELECT 1 FROM tokens
    WHERE user_id = owner_id AND deleted_at IS NULL AND expired_time > ${now} AND expired_time < ${now} + threshold * 86400)
  WHEN 'budget' THEN
    EXISTS (SELECT 1 FROM budgets WHERE scope = 'user' AND target = CAST(owner_id AS text))
    OR EXISTS (SELECT 1 FROM tokens INNER JOIN budgets ON scope = 'key' AND target = CAST(tokens.id AS text)
      WHERE user_id = owner_id AND deleted_at IS NULL)
  ELSE TRUE END`
