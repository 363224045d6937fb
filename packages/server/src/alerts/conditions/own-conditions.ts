import { type Text, TokenStatus } from '@tollgate/contract'
import type { BudgetsService } from '../../budgets/budgets-service.ts'
import { DAY } from '../../common/time-units.ts'
import type { Db } from '../../database/client.ts'
import type { Condition } from './condition.ts'

interface Needs {
  db: Db
  budgets: Pick<BudgetsService, 'uses'>
  amountText(quota: number): Text
}

/** Conditions on a user's balance, keys and budgets; budgets without an owner are the administrators'. */
export const createOwnConditions = ({ db, budgets, amountText }: Needs) => {
  const balance: Condition = async ({ rule: { owner_id, threshold } }) => {
    const user = await db.selectFrom('users').select('quota').where('id', '=', owner_id).executeTakeFirst()
    if (user === undefined || user.quota >= threshold) return []
    const [left, limit] = [amountText(user.quota), amountText(threshold)]
    return [
      {
        subject: '',
        title:
          user.quota > 0
            ? { zh: '余额不足', en: 'Your balance is low' }
            : { zh: '余额已用尽', en: 'Your balance is used up' },
        lines: () => [{ zh: `剩余 ${left.zh}（阈值 ${limit.zh}）`, en: `${left.en} left (threshold ${limit.en})` }],
        path: '/topup',
      },
    ]
  }

  const key: Condition = async ({ rule: { owner_id, threshold }, now }) => {
    const rows = await workingKeys(db, owner_id, now)
      .where('unlimited_quota', '=', 0)
      .where('remain_quota', '<', threshold)
      .execute()
    return rows.map(({ id, name, remain_quota }) => {
      const [left, limit] = [amountText(remain_quota), amountText(threshold)]
      return {
        subject: String(id),
        title: { zh: `令牌「${name}」额度不足`, en: `Token "${name}" is low on quota` },
        lines: () => [{ zh: `剩余 ${left.zh}（阈值 ${limit.zh}）`, en: `${left.en} left (threshold ${limit.en})` }],
        path: `/token/edit/${id}`,
      }
    })
  }

  const keyExpiry: Condition = async ({ rule: { owner_id, threshold }, now }) => {
    const rows = await workingKeys(db, owner_id, now)
      .where('expired_time', '<>', -1)
      .where('expired_time', '<', Math.floor(now + threshold * DAY))
      .execute()
    return rows.map(({ id, name, expired_time }) => ({
      subject: String(id),
      title: { zh: `令牌「${name}」即将过期`, en: `Token "${name}" is about to expire` },
      lines: (time) => [{ zh: `过期时间：${time(expired_time)}`, en: `Expires at ${time(expired_time)}` }],
      path: `/token/edit/${id}`,
    }))
  }

  const budget: Condition = async ({ rule: { owner_id, threshold } }) => {
    const uses = await budgets.uses(owner_id === 0 ? undefined : owner_id)
    return uses
      .filter(({ used, limit }) => limit > 0 && used * 100 >= limit * threshold)
      .map(({ id, name, used, limit }) => {
        const percent = Math.floor((used * 100) / limit)
        const [spent, all] = [amountText(used), amountText(limit)]
        return {
          subject: String(id),
          title: { zh: `${name.zh}已用 ${percent}%`, en: `${percent}% used: ${name.en}` },
          lines: () => [
            {
              zh: `已用 ${spent.zh}，上限 ${all.zh}（阈值 ${threshold}%）`,
              en: `${spent.en} of ${all.en} used (threshold ${threshold}%)`,
            },
          ],
          path: '/budget',
        }
      })
  }

  return { balance, key, keyExpiry, budget }
}

const workingKeys = (db: Db, userId: number, now: number) =>
  db
    .selectFrom('tokens')
    .select(['id', 'name', 'remain_quota', 'expired_time'])
    .where('user_id', '=', userId)
    .where('status', '=', TokenStatus.enabled)
    .where('deleted_at', 'is', null)
    .where((token) => token.or([token('expired_time', '=', -1), token('expired_time', '>', now)]))
    .orderBy('id')
