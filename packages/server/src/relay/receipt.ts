import { LogType } from '@tollgate/contract'
import { inputTokens, outputTokens, type Usage } from '@tollgate/providers'
import type { Price } from '../catalog/prices.ts'
import type { CallLog } from '../ledger/books.ts'
import { charge, decimalText, type GroupFactor } from '../ledger/rounding.ts'
import type { Attempt } from '../upstream/open.ts'
import type { Candidates } from './candidates.ts'
import type { RelayCaller } from './keys.ts'

/** What the price of a call is made of, frozen when its hold was made. */
export interface Quote {
  model: string
  group: string
  factor: GroupFactor
  price: Price
}

export const priceOfUsage = (usage: Usage, { price, factor }: Quote) => charge(usage, price.rates, factor)

/** As kept in the hold: enough to work the charge out again. */
export const frozen = ({ model, group, factor, price }: Quote) =>
  JSON.stringify({ model, group, factor: decimalText(factor, 6), source: price.source, rates: price.shown })

/** Why a call cost what it cost: reported by the vendor, counted by us, or recovered from the wrong kind of report. */
export type CostSource = 'reported' | 'estimated' | 'usage_anomaly'

export interface Receipt {
  caller: RelayCaller
  requestId: string
  channel: number
  /** The upstream's name of the model. */
  model: string
  requestedModel: string
  usage: Usage
  source: CostSource
  cost: number
  quote: Quote
  stream: boolean
  startedAt: number
  firstByteAt: number
  endedAt: number
  attempts: readonly Attempt[]
  candidates: Candidates
  /** How the call ended, where it did not simply end: client_abort, partial, upstream_error. */
  flag: string | undefined
  /** The failure of a call that was not answered. */
  error: string | undefined
}

/** The log row of a call, which can explain itself: usage, price, attempts, and what else was considered. */
export const callLog = (receipt: Receipt): CallLog => {
  const { caller, usage, quote, cost, error } = receipt
  const { rates } = quote.price
  const formula = `${quote.price.shown.input} × ${decimalText(quote.factor, 6)} × ${rates.input === 0n ? '0' : ratioOf(rates.output, rates.input)}`
  const detail = {
    usage: Object.fromEntries(Object.entries(usage).filter(([, tokens]) => tokens !== 0)),
    price: {
      source: quote.price.source,
      group: quote.group,
      factor: decimalText(quote.factor, 6),
      rates: quote.price.shown,
    },
    source: receipt.source,
    ...(receipt.model === receipt.requestedModel ? {} : { requested_model: receipt.requestedModel }),
    ...(receipt.flag === undefined ? {} : { flag: receipt.flag }),
    ...(error === undefined ? {} : { error }),
    attempts: receipt.attempts,
    candidates: receipt.candidates.explain(),
  }
  return {
    user_id: caller.userId,
    created_at: Math.floor(receipt.endedAt / 1000),
    type: error === undefined ? LogType.consume : LogType.failed,
    channel: receipt.channel,
    username: caller.username,
    token_name: caller.tokenName,
    model_name: receipt.model,
    prompt_tokens: inputTokens(usage),
    completion_tokens: outputTokens(usage),
    quota: cost,
    content: error === undefined ? `倍率：${formula}` : `调用失败：${error}`,
    content_en: error === undefined ? `Ratio: ${formula}` : `The call failed: ${error}`,
    request_id: receipt.requestId,
    elapsed_time: Math.max(0, Math.round(receipt.endedAt - receipt.startedAt)),
    first_byte_time: receipt.firstByteAt === 0 ? 0 : Math.max(0, Math.round(receipt.firstByteAt - receipt.startedAt)),
    is_stream: receipt.stream ? 1 : 0,
    detail: JSON.stringify(detail),
  }
}

function ratioOf(rate: bigint, to: bigint) {
  return decimalText((rate * 1_000_000n) / to, 6)
}
