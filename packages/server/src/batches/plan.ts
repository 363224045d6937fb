import { inputTokens, NO_USAGE, type Usage } from '@tollgate/providers'
import { ratesOf } from '../catalog/prices.ts'
import { BUCKETS, charge } from '../ledger/rounding.ts'
import type { Quote } from '../relay/meter/quote.ts'
import { inSoldUnits } from '../relay/meter/sold-units.ts'
import type { FrozenQuote } from './frozen-quote.ts'

/** What a batch asks of one model. */
export interface PlannedModel {
  /** By the upstream's name, and by the caller's. */
  model: string
  asked: string
  lines: number
  /** The most that all of its lines were thought to use together. */
  estimate: Usage
  /** The most that one of them was thought to read: long calls may have another price. */
  longest: number
  /** Which lines are its own; absent where the batch has no other model. */
  ids?: string[]
}

export interface Plan {
  /** The path that every line calls. */
  endpoint: string
  models: PlannedModel[]
  video?: PlannedVideo
  task?: PlannedTask
}

/** What a video was asked to be, and the one that it is made of. */
export interface PlannedVideo {
  prompt: string
  seconds: number
  size: string
  remixedFrom?: string
}

/** A task of Midjourney's as it was asked for, and the one that it is made of. */
export interface PlannedTask {
  action: string
  prompt: string
  state: string
  parent?: { id: string; upstreamId: string }
  /** Whoever knows it may see the picture. */
  view: string
}

/** One that is held for, at prices that stay what they were. */
export interface HeldPlan extends Plan {
  models: (PlannedModel & { quote: FrozenQuote; amount: number })[]
}

export interface PlannedLine {
  id: string
  model: string
  asked: string
  estimate: Usage
}

export const planOf = (endpoint: string, lines: readonly PlannedLine[]): Plan => {
  const byModel = Map.groupBy(lines, ({ model, asked }) => `${model}\n${asked}`)
  const models = [...byModel.values()].map((own): PlannedModel => {
    const [{ model, asked } = { model: '', asked: '' }] = own
    return {
      ...{ model, asked, lines: own.length },
      estimate: sumOf(own),
      longest: own.reduce((most, line) => Math.max(most, inputTokens(line.estimate)), 0),
      ...(byModel.size > 1 && { ids: own.map(({ id }) => id) }),
    }
  })
  return { endpoint, models }
}

/** What is held for the lines of a model: all of them at the price of the longest, and at least 1 where anything costs. */
export const amountOf = ({ estimate, longest, lines }: PlannedModel, quote: Quote) => {
  if (quote.free) return 0
  const { price, factor } = quote
  const rates = ratesOf(price, { ...NO_USAGE, input: longest })
  const once = charge({ ...NO_USAGE, input: 1 }, { ...rates, input: 0n }, factor)
  return Math.max(1, charge(inSoldUnits(estimate, price), { ...rates, requests: 0n }, factor) + once * lines)
}

/** One object for all of them: a batch has tens of thousands. */
function sumOf(lines: readonly PlannedLine[]) {
  const sum = { ...NO_USAGE }
  for (const { estimate } of lines) addUsage(sum, estimate)
  return sum
}

/** Adds the second to the first. */
export const addUsage = (sum: Usage, more: Usage) => {
  for (const bucket of BUCKETS) sum[bucket] += more[bucket]
}
