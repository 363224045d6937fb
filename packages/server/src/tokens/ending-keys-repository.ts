import { NEVER_EXPIRES, TokenStatus, UserStatus } from '@tollgate/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { DAY } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'

const EXPIRES_SOON_SEC = 3 * DAY
/** A key is running out when less than one part in this many of its quota is left. */
const LEFT_PARTS = 10
const LISTED_MAX = 10

/** Keys that will soon stop working. */
export const endingKeysRepository = (db: Db) => ({
  /** Of everybody, or of one user. */
  async ending(now: number, userId: number | undefined) {
    const { expiring, usedUp, any } = endingKeys(now)
    const keys = db
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .where('tokens.deleted_at', 'is', null)
      .$if(userId !== undefined, (query) => query.where('tokens.user_id', '=', userId ?? 0))
    const count = async (condition: RawBuilder<SqlBool>) => {
      const { ending } = await keys
        .select(sql<number>`count(*)`.as('ending'))
        .where(condition)
        .executeTakeFirstOrThrow()
      return ending
    }
    const listed = await keys
      .select(['tokens.id', 'name', 'username', 'expired_time', 'remain_quota', 'tokens.used_quota', 'unlimited_quota'])
      .where(any)
      .orderBy(sql`CASE WHEN expired_time = ${NEVER_EXPIRES} THEN 1 ELSE 0 END`)
      .orderBy('expired_time')
      .orderBy('tokens.id')
      .limit(LISTED_MAX)
      .execute()
    return {
      expiring: await count(expiring),
      used_up: await count(usedUp),
      list: listed.map((key) => {
        const isLimited = key.unlimited_quota === 0
        const expires = key.expired_time !== NEVER_EXPIRES && key.expired_time < now + EXPIRES_SOON_SEC
        const runsOut = isLimited && key.remain_quota * LEFT_PARTS < key.remain_quota + key.used_quota
        return {
          ...key,
          unlimited_quota: !isLimited,
          reasons: [...(expires ? (['expiring'] as const) : []), ...(runsOut ? (['used_up'] as const) : [])],
        }
      }),
    }
  },
})

/** Conditions on a key and its user: it can be used now, but will soon stop working. */
export const endingKeys = (now: number) => {
  const works = sql<SqlBool>`(tokens.status = ${TokenStatus.enabled} AND users.status = ${UserStatus.enabled}
    AND (tokens.expired_time = ${NEVER_EXPIRES} OR tokens.expired_time > ${now}))`
  const expires = sql<SqlBool>`(tokens.expired_time <> ${NEVER_EXPIRES}
    AND tokens.expired_time < ${now + EXPIRES_SOON_SEC})`
  const runsOut = sql<SqlBool>`(tokens.unlimited_quota = 0
    AND tokens.remain_quota * ${sql.lit(LEFT_PARTS)} < tokens.remain_quota + tokens.used_quota)`
  return {
    expiring: sql<SqlBool>`(${works} AND ${expires})`,
    usedUp: sql<SqlBool>`(${works} AND ${runsOut})`,
    any: sql<SqlBool>`(${works} AND (${expires} OR ${runsOut}))`,
  }
}
