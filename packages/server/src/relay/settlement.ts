import { NO_USAGE, type Usage } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Clock } from '../clock.ts'
import type { OpenHold } from '../ledger/call-ledger.ts'
import type { Log } from '../log.ts'
import type { Attempt } from '../upstream/open.ts'
import type { Arrival } from './arrival.ts'
import type { Call } from './call.ts'
import type { Candidates } from './candidates.ts'
import { estimateInput } from './estimate.ts'
import type { RelayCaller } from './keys.ts'
import { type CostSource, callLog, priceOfUsage, type Quote } from './receipt.ts'
import { isSane } from './sane-usage.ts'

/** Everything that is known of a call while it runs. */
export interface Running {
  arrival: Arrival
  caller: RelayCaller
  call: Call
  candidates: Candidates
  attempts: Attempt[]
  hold: OpenHold
  startedAt: number
  firstByteAt: number
  /** Where it went last, and at what price. */
  route: Route
  quote: Quote
}

/** How a call ended. */
export interface End {
  /** As the vendor reported it; undefined when it reported nothing. */
  reported: Usage | undefined
  /** What we counted instead, or undefined when nothing was delivered. */
  counted: Usage | undefined
  flag?: string
  error?: string
}

export interface Charged {
  cost: number
  usage: Usage
  source: CostSource
}

interface Needs {
  clock: Clock
  log: Log
  keepLogs(): boolean
  onBalance(change: { userId: number; from: number; to: number }): void
}

export type Settle = (running: Running, end: End) => Promise<Charged>

/** If the books cannot be reached at the end of a call, the answer is not held back for ever; the charge is tried on. */
const GRACE_MS = 2000
const RETRY_MS = 500

/** Ends the hold of a call with what the call really cost. */
export const createSettle = ({ clock, log, keepLogs, onBalance }: Needs): Settle => {
  const post = async (running: Running, charged: Charged, end: End) => {
    const { hold, caller, route } = running
    const row = callLog({
      ...running,
      requestId: running.arrival.requestId,
      channel: route.id,
      model: running.quote.model,
      requestedModel: running.call.model,
      stream: running.call.stream,
      usage: charged.usage,
      source: charged.source,
      cost: charged.cost,
      endedAt: clock.now(),
      flag: end.flag,
      error: end.error,
    })
    const done = end.error === undefined
    const { balance } = await hold.settle({
      actual: charged.cost,
      done,
      channelId: route.id,
      log: row,
      keepLog: done ? keepLogs() : true,
    })
    if (balance !== undefined && balance.to < balance.from) onBalance({ userId: caller.userId, ...balance })
  }

  const postUntilDone = async (running: Running, charged: Charged, end: End) => {
    for (;;) {
      try {
        return await post(running, charged, end)
      } catch (error) {
        log.error('A charge could not be written yet', { error, requestId: running.arrival.requestId })
        await Bun.sleep(RETRY_MS)
      }
    }
  }

  return async (running, end) => {
    const charged = priced(running, end)
    await Promise.race([postUntilDone(running, charged, end), Bun.sleep(GRACE_MS)])
    return charged
  }
}

function priced({ call, quote }: Running, { reported, counted, error }: End): Charged {
  if (error !== undefined && reported === undefined && counted === undefined) {
    return { cost: 0, usage: NO_USAGE, source: 'reported' }
  }
  if (reported !== undefined && isSane(reported, estimateInput(call))) {
    return { cost: priceOfUsage(reported, quote), usage: reported, source: 'reported' }
  }
  const usage = counted ?? NO_USAGE
  return { cost: priceOfUsage(usage, quote), usage, source: reported === undefined ? 'estimated' : 'usage_anomaly' }
}
