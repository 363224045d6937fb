import type { analytics as endpoints } from '@tollgate/contract'
import type { z } from 'zod'
import type { Attention } from '../channels/channel-attention.ts'
import { type Clock, seconds } from '../common/clock.ts'
import type { Db } from '../database/client.ts'
import { endingKeysRepository } from './ending-keys-repository.ts'
import { spendingRepository } from './spending-repository.ts'
import { DAY, HOUR } from './zone-time.ts'

export type NeedsAttention = ReturnType<typeof createNeedsAttention>
type OfSite = z.output<typeof endpoints.attention.data>
type OfUser = z.output<typeof endpoints.attentionSelf.data>

const WEEK = 7 * DAY
/** So much has to be known before it says anything about the days to come. */
const HISTORY_MIN = DAY

interface Needs {
  db: Db
  channels: Attention
  clock: Clock
}

/** What somebody should look at, before somebody else complains. */
export const createNeedsAttention = ({ db, channels, clock }: Needs) => {
  const keys = endingKeysRepository(db)
  const spending = spendingRepository(db)

  return {
    async ofSite(): Promise<OfSite> {
      const now = seconds(clock)
      const hour = now - (now % HOUR)
      const { recent_since, day_since, channels: looked } = await channels.look()
      return {
        windows: {
          recent: { start: recent_since, end: now },
          day: { start: day_since, end: now },
          hour: { start: hour - HOUR, end: now },
          week: { start: hour - WEEK, end: hour - HOUR },
        },
        channels: looked.map((channel) => ({ ...channel, slower: null })),
        keys: await keys.ending(now, undefined),
      }
    },

    /** At the pace of the last week, or of as much of it as there is since the first call. */
    async ofUser(userId: number): Promise<OfUser> {
      const now = seconds(clock)
      const end = now - (now % HOUR)
      const first = await spending.firstHour(userId)
      const start = Math.max(end - WEEK, first ?? end)
      const quota = await spending.balance(userId)
      const isKnown = end - start >= HISTORY_MIN
      const spent = isKnown ? await spending.spent(userId, { start, end }) : 0
      const perHour = isKnown ? (spent * HOUR) / (end - start) : null
      return {
        keys: await keys.ending(now, userId),
        balance: {
          quota,
          spent_per_hour: perHour,
          window: { start, end },
          lasts_until:
            perHour === null || perHour <= 0 ? null : now + Math.floor((Math.max(0, quota) / perHour) * HOUR),
        },
      }
    },
  }
}
