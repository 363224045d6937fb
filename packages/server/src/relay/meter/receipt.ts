import { LogType, type Outcome } from '@tollgate/contract'
import { BUCKETS, cacheReads, cacheWrites, inputTokens, outputTokens, type Usage } from '@tollgate/providers'
import { type Price, type PriceTier, ratesOf, tierOf } from '../../catalog/prices.ts'
import { upstreamText } from '../../common/upstream-sentences.ts'
import type { CallLog } from '../../ledger/books.ts'
import { charge } from '../../ledger/rounding.ts'
import { type Attempt, type CostSource, detailText } from '../../logs/call-detail.ts'
import type { Stopped } from '../../upstream/open.ts'
import type { Dropped } from '../answer.ts'
import type { RelayCaller } from '../caller/keys.ts'
import type { Candidates } from '../candidates.ts'
import { type Quote, termsOf } from './quote.ts'
import { inSoldUnits } from './sold-units.ts'

export const priceOfUsage = (usage: Usage, { price, factor }: Quote) =>
  charge(inSoldUnits(usage, price), ratesOf(price, usage), factor)

export interface Receipt {
  caller: RelayCaller
  requestId: string
  channel: number
  requestedModel: string
  /** The agent's conversation, if any. */
  session: string | undefined
  usage: Usage
  source: CostSource
  cost: number
  quote: Quote
  stream: boolean
  endedAt: number
  elapsedMs: number
  firstByteMs: number | undefined
  attempts: readonly Attempt[]
  candidates: Candidates
  outcome: Outcome
  /** How the call ended, if not normally: client_abort, partial, upstream_error, quota_end, time_out, restart, revoked. */
  flag: string | undefined
  /** Why an answer was not completed. */
  reason: string | undefined
  dropped: Dropped | undefined
  /** Part of the cost: other models that worked for this call. */
  beside: number | undefined
  /** The failure of an unanswered call, and the status sent to its caller. */
  error: string | undefined
  status: number | undefined
  /** Why no other channel was tried. */
  stopped: Stopped | undefined
  /** Whether its bodies are recorded, if that was enabled. */
  recorded: boolean | undefined
  /** The batch: its state, and the number of its requests. */
  batch?: BatchReceipt
}

export interface BatchReceipt {
  id: string
  status: string
  requests: number
  answered: number
  /** Answers without usage: each was charged at the average estimate of a request. */
  unreported: number
}

/** The log row of a call, with everything that explains it: usage, price, attempts, and other candidates. */
export const callLog = (receipt: Receipt): CallLog => {
  const { caller, usage, quote, cost, error } = receipt
  const tier = tierOf(quote.price, usage)
  const terms = tier === undefined ? quote.terms : termsOf(tier, quote.factor)
  return {
    user_id: caller.userId,
    created_at: Math.floor(receipt.endedAt / 1000),
    type: error === undefined ? LogType.consume : LogType.failed,
    channel: receipt.channel,
    username: caller.username,
    token_name: caller.tokenName,
    model_name: quote.model,
    // Text billed by the character is counted by it.
    prompt_tokens: inputTokens(usage) + usage.characters,
    completion_tokens: outputTokens(usage),
    quota: cost,
    content: error === undefined ? `倍率：${terms.zh}` : `调用失败：${upstreamText(error).zh}`,
    content_en: error === undefined ? `Ratio: ${terms.en}` : `The call failed: ${error}`,
    request_id: receipt.requestId,
    elapsed_time: Math.max(0, Math.round(receipt.elapsedMs)),
    first_byte_time: Math.max(0, Math.round(receipt.firstByteMs ?? 0)),
    is_stream: receipt.stream ? 1 : 0,
    detail: detailOf(receipt, tier),
    session: receipt.session ?? null,
    outcome: receipt.outcome,
    cached_tokens: cacheReads(usage),
    cache_write_tokens: cacheWrites(usage),
    reasoning_tokens: usage.reasoning,
  }
}

function detailOf(receipt: Receipt, tier: PriceTier | undefined) {
  const { usage, quote, source, requestedModel, flag, reason, dropped, beside, error, status, attempts, candidates } =
    receipt
  const { stopped, recorded } = receipt
  const { used, rates } = usedBuckets(usage, tier ?? quote.price)
  // JSON drops undefined members.
  const detail = {
    usage: used,
    price: { ...quote.origin, above: tier?.above, rates, assumed: unlessEmpty(assumedIn(used, quote)) },
    source,
    requested_model: quote.model === requestedModel ? undefined : requestedModel,
    flag,
    reason,
    dropped_tools: unlessEmpty(dropped?.tools),
    dropped_parameters: unlessEmpty(dropped?.parameters),
    service_tier: quote.serviceTier?.name,
    beside,
    error,
    status,
    stopped,
    recorded: recorded || undefined,
    batch: receipt.batch,
    attempts,
  }
  return detailText(detail, candidates.logged())
}

const unlessEmpty = (names: readonly string[] = []) => (names.length === 0 ? undefined : names)

/** Buckets billed at an assumed price; a model without any price is marked as a whole. */
const assumedIn = (used: Record<string, number>, { price }: Quote) =>
  price.source === 'default' ? [] : [...price.assumed].filter((bucket) => bucket in used)

/** The non-empty buckets and their cost. The request itself is one of them if it has a fee. */
function usedBuckets(usage: Usage, { rates: owed, shown }: Price | PriceTier) {
  const used: Record<string, number> = {}
  const rates: Record<string, string | undefined> = {}
  for (const bucket of BUCKETS) {
    if (usage[bucket] === 0) continue
    used[bucket] = usage[bucket]
    rates[bucket] = shown[bucket]
  }
  if (owed.requests !== 0n && Object.keys(used).length > 0) {
    used.requests = 1
    rates.requests = shown.requests
  }
  return { used, rates }
}
