import { TokenStatus } from '@tollgate/contract'
import { type RawBuilder, sql } from 'kysely'
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
    const enabled = db
      .selectFrom('tokens')
      .where('tokens.status', '=', TokenStatus.enabled)
      .where('tokens.deleted_at', 'is', null)
      .where((key) => key.or([key('expired_time', '=', -1), key('expired_time', '>', now)]))
      .$if(userId !== undefined, (query) => query.where('tokens.user_id', '=', userId ?? 0))
    const count = async (isEnding: RawBuilder<boolean>) => {
      const { ending } = await enabled
        .select(sql<number>`count(*)`.as('ending'))
        .where(isEnding)
        .executeTakeFirstOrThrow()
      return ending
    }
    const listed = await enabled
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .select(['tokens.id', 'name', 'username', 'expired_time', 'remain_quota', 'tokens.used_quota', 'unlimited_quota'])
      .where(sql<boolean>`(${expiring(now)} OR ${USED_UP})`)
      .orderBy(sql`CASE WHEN expired_time = -1 THEN 1 ELSE 0 END`)
      .orderBy('expired_time')
      .orderBy('tokens.id')
      .limit(LISTED_MAX)
      .execute()
    return {
      expiring: await count(expiring(now)),
      used_up: await count(USED_UP),
      list: listed.map((key) => {
        const isLimited = key.unlimited_quota === 0
        return {
          ...key,
          unlimited_quota: !isLimited,
          reasons: [
            ...(key.expired_time !== -1 && key.expired_time < now + EXPIRES_SOON_SEC ? (['expiring'] as const) : []),
            ...(isLimited && key.remain_quota * LEFT_PARTS < key.remain_quota + key.used_quota
              ? (['used_up'] as const)
              : []),
          ],
        }
      }),
    }
  },
})

const expiring = (now: number) => sql<boolean>`(expired_time <> -1 AND expired_time < ${now + EXPIRES_SOON_SEC})`

const USED_UP = sql<boolean>`(unlimited_quota = 0 AND remain_quota * ${sql.lit(LEFT_PARTS)} < remain_quota + tokens.used_quota)`
