import {
  type ChannelAttention,
  ChannelStatus,
  channelType,
  type channels as endpoints,
  LogType,
} from '@tollgate/contract'
import type { z } from 'zod'
import { type Clock, seconds } from '../common/clock.ts'
import type { Language } from '../common/errors.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import { upstreamTextIn } from '../common/upstream-sentences.ts'
import type { LogsService } from '../logs/logs-service.ts'
import type { SavedFailures } from '../logs/saved-failures.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { ChannelsService } from './channels-service.ts'
import type { ModelLists } from './model-list-news.ts'

export type Attention = ReturnType<typeof createAttention>
type Answer = z.output<typeof endpoints.attention.data>

const QUARTER = 900

/** How long a node caches the answer. */
const KEPT_MS = 10_000
/** This many calls are enough; in a busier period only the latest are counted. */
const CALLS_MAX = 2000

const FAILING_SHARE = 0.1
const SLOW_MS = 5000

/** About a dollar in the vendor's unit. */
const DOLLAR = { usd: 1, cny: 10, cny10000: 100_000, quota: 500_000 } as const

interface Needs {
  channels: Pick<ChannelsService, 'states'>
  logs: Pick<LogsService, 'attempts' | 'answeredByChannel'>
  savedFailures: Pick<SavedFailures, 'since'>
  options: OptionsService
  modelLists: ModelLists
  clock: Clock
}

/** Which channels need attention, judged by real calls. */
export const createAttention = ({ channels, logs, savedFailures, options, modelLists, clock }: Needs) => {
  let kept: { at: number; answer: Promise<Answer> } | undefined

  const read = async (): Promise<Answer> => {
    const now = seconds(clock)
    const dayStart = Math.floor((now - DAY) / HOUR) * HOUR
    const { LogConsumeEnabled: answersAreLogged } = options.values()
    const answered = await logs.attempts(LogType.consume, { since: now - QUARTER, callsMax: CALLS_MAX })
    const failed = await logs.attempts(LogType.failed, { since: dayStart, callsMax: CALLS_MAX })
    const answeredOfDay = await logs.answeredByChannel(dayStart)
    const saved = await savedFailures.since(dayStart)
    const recent = tally([...answered.tried, ...failed.tried.filter(({ at }) => at >= answered.since)])
    const ofDay = tally(failed.tried)
    const states = await channels.states()
    const news = await modelLists.news()
    const judged = states.map((state): ChannelAttention => {
      const { status, type, balance, balance_updated_time, response_time, unpriced } = state
      const quarter = recent.get(state.id) ?? NOTHING
      const day = ofDay.get(state.id) ?? NOTHING
      const { retried, broken, last: lastSaved } = saved.get(state.id) ?? NONE_SAVED
      const last = [quarter.last, day.last, lastSaved].reduce((one, other) => (other.at > one.at ? other : one))
      const counts = {
        recent: { failed: quarter.failed, calls: answersAreLogged ? quarter.calls : null },
        day: {
          failed: day.failed + retried + broken,
          calls: day.failed + retried + (answeredOfDay.get(state.id) ?? 0),
          saved: retried,
        },
      }
      const enabled = status === ChannelStatus.enabled
      return {
        ...state,
        ...counts,
        model_list: news.get(state.id) ?? null,
        last_error: last.error,
        last_error_at: last.at,
        last_request_id: last.requestId,
        reasons: [
          ...(status === ChannelStatus.autoDisabled ? (['disabled'] as const) : []),
          ...(enabled && (isFailing(counts.recent) || isFailing(counts.day)) ? (['failing'] as const) : []),
          ...(enabled && balance_updated_time > 0 && isLow(type, balance) ? (['balance'] as const) : []),
          ...(enabled && unpriced.length > 0 ? (['unpriced'] as const) : []),
          ...(enabled && response_time > SLOW_MS ? (['slow'] as const) : []),
          ...(news.has(state.id) ? (['model_list'] as const) : []),
        ],
      }
    })
    const day = judged.reduce(
      (sum, { day: { failed, calls, saved: some } }) => ({
        failed: sum.failed + failed,
        calls: sum.calls + calls,
        saved: sum.saved + some,
      }),
      { failed: 0, calls: 0, saved: 0 },
    )
    return {
      total: states.length,
      enabled: states.filter(({ status }) => status === ChannelStatus.enabled).length,
      recent_since: answered.since,
      day_since: dayStart,
      more_failures: failed.more,
      day,
      channels: judged.toSorted((a, b) => urgency(b) - urgency(a)),
    }
  }

  /** Every channel, including healthy ones. */
  const all = () => {
    if (kept === undefined || Math.abs(clock.now() - kept.at) >= KEPT_MS) {
      kept = { at: clock.now(), answer: read() }
      // A failed query is reported only to whoever requested it.
      kept.answer.catch(() => {
        kept = undefined
      })
    }
    return kept.answer
  }

  return {
    all,
    /** Only the channels that need it. */
    async needed(language: Language): Promise<Answer> {
      const answer = await all()
      const needed = answer.channels.filter(({ reasons }) => reasons.length > 0)
      return { ...answer, channels: needed.map((channel) => withErrorIn(language, channel)) }
    },

    async outcomes() {
      const { channels: every } = await all()
      return every
        .filter(({ recent, day }) => recent.failed > 0 || (recent.calls ?? 0) > 0 || day.calls > 0)
        .map(({ id, recent, day }) => ({ id, recent, day }))
        .toSorted((a, b) => a.id - b.id)
    },

    /** The ids of channels of which at least this percentage of calls failed, recently or in the last day. */
    async failing(percent: number) {
      const { channels: every } = await all()
      return every
        .filter(({ recent, day }) => isFailing(recent, percent / 100) || isFailing(day, percent / 100))
        .map(({ id }) => id)
    },
  }
}

/** The last error in the reader's language, where it is a sentence of ours. */
export const withErrorIn = <Attended extends { last_error: string }>(language: Language, channel: Attended) => ({
  ...channel,
  last_error: upstreamTextIn(channel.last_error, language),
})

interface Tally {
  calls: number
  failed: number
  last: { at: number; error: string; requestId: string }
}

const NO_FAILURE = { at: 0, error: '', requestId: '' }
const NOTHING: Tally = { calls: 0, failed: 0, last: NO_FAILURE }
const NONE_SAVED = { retried: 0, broken: 0, last: NO_FAILURE }

/** By channel. Attempts are newest first within their kind, and the newest error is the one to show. */
function tally(tried: Awaited<ReturnType<LogsService['attempts']>>['tried']) {
  const tallies = new Map<number, Tally>()
  for (const { channel, at, error, requestId } of tried) {
    const { calls, failed, last } = tallies.get(channel) ?? NOTHING
    const isFailure = error !== ''
    tallies.set(channel, {
      calls: calls + 1,
      failed: failed + (isFailure ? 1 : 0),
      last: isFailure && at > last.at ? { at, error, requestId } : last,
    })
  }
  return tallies
}

const isFailing = ({ failed, calls }: { failed: number; calls: number | null }, share = FAILING_SHARE) =>
  failed > 0 && (calls === null || failed / calls >= share)

function isLow(type: number, balance: number) {
  const dollars = roughDollars(type, balance)
  return dollars !== undefined && dollars < 1
}

/** A vendor's balance in approximate dollars; undefined when the vendor reports none. */
export function roughDollars(type: number, balance: number) {
  const unit = channelType(type)?.balance
  return unit === undefined ? undefined : balance / DOLLAR[unit]
}

/** What stops calls comes first, then the highest failure rate. */
function urgency({ reasons, recent, day }: ChannelAttention) {
  const share = ({ failed, calls }: { failed: number; calls: number | null }) =>
    failed === 0 ? 0 : failed / (calls || failed)
  if (reasons.includes('failing')) return 10 + Math.max(share(recent), share(day))
  return reasons.includes('disabled') ? 5 : reasons.includes('balance') ? 2 : 1
}
