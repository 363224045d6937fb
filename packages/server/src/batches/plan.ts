import { inputTokens, NO_USAGE, type Usage } from '@tollgate/providers'
import { ratesOf } from '../catalog/prices.ts'
import { BUCKETS, charge } from '../ledger/rounding.ts'
import type { Quote } from '../relay/meter/quote.ts'
import { inSoldUnits } from '../relay/meter/sold-units.ts'
import type { FrozenQuote } from './frozen-quote.ts'

/** The requests of a batch for one model. */
export interface PlannedModel {
  /** The model's name at the vendor, and as the caller sent it. Plans are stored as JSON: their keys cannot change. */
  model: string
  asked: string
  lines: number
  /** The estimated usage of all lines together, an upper bound. */
  estimate: Usage
  /** The longest estimated input of a line: long calls may have another price. */
  longest: number
  /** `lineKey` of the lines of this model; absent if the batch has only one model. */
  keys?: string[]
  /** The same lines by their ids, in plans of earlier versions. */
  ids?: string[]
}

export interface Plan {
  /** The path of every line. */
  endpoint: string
  models: PlannedModel[]
  /** `completion_window` and `metadata` as the caller sent them; not every vendor repeats them. */
  window?: string
  metadata?: Record<string, string>
  /** The caller's name of a batch in Google's format; at the vendor it has our id, by which it is found again. */
  displayName?: string
  video?: PlannedVideo
  task?: PlannedTask
}

/** The requested video, and the one it remixes. */
export interface PlannedVideo {
  prompt: string
  seconds: number
  size: string
  remixedFrom?: string
}

/** The requested Midjourney task, and the one it continues. */
export interface PlannedTask {
  action: string
  prompt: string
  state: string
  parent?: { id: string; upstreamId: string }
  /** A secret of the image's link. */
  view: string
}

/** A plan with its hold, at the prices of its submission. */
export interface HeldPlan extends Plan {
  /** The request that started it, by which callers look for it; absent in plans of earlier versions. */
  requestId?: string
  models: (PlannedModel & { quote: FrozenQuote; amount: number })[]
}

export interface PlannedLine {
  /** `lineKey` of its id. */
  key: string
  model: string
  asked: string
  estimate: Usage
}

/** Callers choose the ids, up to 512 characters for each of tens of thousands of lines: a plan has only this much of each. */
export const lineKey = (id: string) => Bun.SHA256.hash(id, 'base64').slice(0, 16)

export const planOf = (endpoint: string, lines: readonly PlannedLine[]): Plan => {
  const byModel = Map.groupBy(lines, ({ model, asked }) => `${model}\n${asked}`)
  const models = [...byModel.values()].map((own): PlannedModel => {
    const [{ model, asked } = { model: '', asked: '' }] = own
    return {
      ...{ model, asked, lines: own.length },
      estimate: sumOf(own),
      longest: own.reduce((most, line) => Math.max(most, inputTokens(line.estimate)), 0),
      ...(byModel.size > 1 && { keys: own.map(({ key }) => key) }),
    }
  })
  return { endpoint, models }
}

/** The hold for a model's lines: all at the price tier of the longest, and at least 1 unless the model is free. */
export const amountOf = ({ estimate, longest, lines }: PlannedModel, quote: Quote) => {
  if (quote.free) return 0
  const { price, factor } = quote
  const rates = ratesOf(price, { ...NO_USAGE, input: longest })
  const once = charge({ ...NO_USAGE, input: 1 }, { ...rates, input: 0n }, factor)
  return Math.max(1, charge(inSoldUnits(estimate, price), { ...rates, requests: 0n }, factor) + once * lines)
}

/** Adds in place: a batch has tens of thousands of lines. */
function sumOf(lines: readonly PlannedLine[]) {
  const sum = { ...NO_USAGE }
  for (const { estimate } of lines) addUsage(sum, estimate)
  return sum
}

/** Adds `more` to `sum` in place. */
export const addUsage = (sum: Usage, more: Usage) => {
  for (const bucket of BUCKETS) sum[bucket] += more[bucket]
}
