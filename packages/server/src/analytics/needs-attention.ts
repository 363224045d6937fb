import { ChannelStatus, type analytics as endpoints } from '@tollgate/contract'
import type { z } from 'zod'
import type { BudgetsService } from '../budgets/budgets-service.ts'
import { type Attention, withErrorIn } from '../channels/channel-attention.ts'
import type { Actor } from '../common/actor.ts'
import { type Clock, seconds } from '../common/clock.ts'
import type { Language } from '../common/errors.ts'
import type { Redis } from '../common/redis.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import type { UserTokensService } from '../tokens/user-tokens-service.ts'
import { countOf, type Histogram, percentile } from './histogram.ts'
import { cellId, createLatencies } from './latencies.ts'
import type { LatencyTally } from './latency-tally.ts'
import { type Range, wholeSlices } from './query-plan.ts'
import { spendingRepository } from './spending-repository.ts'

export type NeedsAttention = ReturnType<typeof createNeedsAttention>
type OfSite = z.output<typeof endpoints.attention.data>
type OfUser = z.output<typeof endpoints.attentionSelf.data>

const WEEK = 7 * DAY
/** A balance that lasts longer has no meaningful end. */
const LASTS_MAX = 10 * 365 * DAY

/** The minimum history for a forecast. */
const HISTORY_MIN = DAY

/** Their owner is warned at this share, too. */
const BUDGET_SHARE = 0.8
const BUDGETS_MAX = 5

/** With fewer calls nothing is concluded about a channel. */
const HOUR_CALLS_MIN = 20
const WEEK_CALLS_MIN = 100
/** Half as slow again, which is more than the error of a histogram. */
const SLOWER = 1.5

interface Needs {
  db: Db
  channels: Pick<Attention, 'all'>
  budgets: Pick<BudgetsService, 'nearEnd'>
  keys: Pick<UserTokensService, 'ending'>
  tally: Pick<LatencyTally, 'flush'>
  clock: Clock
  redis: Pick<Redis, 'trouble'> | undefined
}

/** What needs attention before users complain. */
export const createNeedsAttention = ({ db, channels, budgets, keys, tally, clock, redis }: Needs) => {
  const latencies = createLatencies(db)

  const byChannel = async (range: Range) => {
    const plan = { slices: wholeSlices(range), parts: ['channel'], filter: {}, timeOf: () => 0 } as const
    const found = await latencies(plan)
    return new Map([...found].map(([id, histogram]) => [Number(id.slice(cellId(0, '').length)), histogram]))
  }

  return {
    async ofSite(language: Language): Promise<OfSite> {
      const now = seconds(clock)
      const hour = now - (now % HOUR)
      const { recent_since, day_since, channels: every } = await channels.all()
      const windows = {
        recent: { start: recent_since, end: now },
        day: { start: day_since, end: now },
        hour: { start: hour - HOUR, end: now },
        week: { start: hour - HOUR - WEEK, end: hour - HOUR },
      }
      await tally.flush()
      const ofHour = await byChannel({ start: windows.hour.start, end: hour + HOUR })
      const ofWeek = await byChannel(windows.week)
      const judged = every.map((channel) => {
        const isEnabled = channel.status === ChannelStatus.enabled
        const slower = isEnabled ? slowerThanUsual(ofHour.get(channel.id), ofWeek.get(channel.id)) : null
        return {
          ...channel,
          slower,
          reasons: slower === null ? channel.reasons : [...channel.reasons, 'slower' as const],
        }
      })
      return {
        windows,
        channels: judged.filter(({ reasons }) => reasons.length > 0).map((channel) => withErrorIn(language, channel)),
        keys: await keys.ending(),
        redis_trouble: redis?.trouble() || null,
      }
    },

    /** At the average spend of the last week, or since the first call. */
    async ofUser(actor: Actor): Promise<OfUser> {
      const userId = actor.id
      const now = seconds(clock)
      const end = now - (now % HOUR)
      const spending = spendingRepository(await upToDateFigures(db))
      const first = await spending.firstHour(userId)
      const start = Math.max(end - WEEK, first ?? end)
      const quota = await spending.balance(userId)
      const isKnown = end - start >= HISTORY_MIN
      const spent = isKnown ? await spending.spent(userId, { start, end }) : 0
      const perHour = isKnown ? (spent * HOUR) / (end - start) : null
      const lasts = perHour === null || perHour <= 0 ? undefined : Math.floor((Math.max(0, quota) / perHour) * HOUR)
      return {
        keys: await keys.ending(userId),
        budgets: (await budgets.nearEnd(actor, BUDGET_SHARE)).slice(0, BUDGETS_MAX),
        balance: {
          quota,
          spent_per_hour: perHour,
          window: { start, end },
          lasts_until: lasts === undefined || lasts > LASTS_MAX ? null : now + lasts,
        },
      }
    },
  }
}

function slowerThanUsual(hour: Histogram | undefined, week: Histogram | undefined) {
  if (hour === undefined || week === undefined) return null
  const calls = countOf(hour, 'first_byte')
  if (calls < HOUR_CALLS_MIN || countOf(week, 'first_byte') < WEEK_CALLS_MIN) return null
  const [now, usually] = [percentile(hour, 'first_byte', 0.95), percentile(week, 'first_byte', 0.95)]
  if (now === null || usually === null || now < usually * SLOWER) return null
  return { hour_p95: now, hour_calls: calls, week_p95: usually }
}
