import { isFields, NO_USAGE, readOpenAiServiceTier, type Usage } from '@tollgate/providers'
import { CHARGE_MAX } from '../ledger/reducer.ts'
import { type Quote, quoteAtServiceTier } from '../relay/meter/quote.ts'
import { priceOfUsage } from '../relay/meter/receipt.ts'
import { thawedQuote } from './frozen-quote.ts'
import { addUsage, type HeldPlan, lineKey, type PlannedModel } from './plan.ts'
import { type BatchKind, KINDS } from './vendor-batch.ts'

/** The sum of the answers of one model. */
export interface Billed {
  quote: Quote
  /** The model as the caller named it. */
  asked: string
  cost: number
  usage: Usage
  /** Number of requests, of those that were answered, and of answers without reported usage. */
  lines: number
  answered: number
  unreported: number
}

/**
 * Adds up the answers of a batch. Each line is priced like a call of its model; a line without plausible usage costs the
 * average estimate of its model's lines.
 */
export const createBill = ({ models, endpoint }: HeldPlan, kind: BatchKind) => {
  const entries = models.map(({ quote, asked, lines, amount, keys, ids }) => ({
    billed: {
      quote: thawedQuote(quote),
      asked,
      lines,
      cost: 0,
      usage: { ...NO_USAGE },
      answered: 0,
      unreported: 0,
    } as Billed,
    mean: Math.ceil(amount / lines),
    own: (keys ?? ids) && new Set(keys ?? ids),
    nameOf: keys === undefined ? asWritten : lineKey,
  }))
  const seen = new Set<string>()

  const add = ({ billed, mean }: (typeof entries)[number], usage: Usage | undefined) => {
    billed.answered++
    if (usage === undefined) billed.unreported++
    else addUsage(billed.usage, usage)
    const cost = usage === undefined ? mean : Math.min(priceOfUsage(usage, billed.quote), CHARGE_MAX)
    billed.cost = Math.min(billed.cost + cost, Math.floor(CHARGE_MAX / entries.length))
  }

  return {
    read(line: unknown) {
      if (!isFields(line)) return
      const result = KINDS[kind].readLine(line, endpoint)
      // A vendor may repeat a line; it is charged once.
      if (!result.answered || seen.has(result.id)) return
      seen.add(result.id)
      const entry = entries.find(({ own, nameOf }) => own === undefined || own.has(nameOf(result.id)))
      if (entry === undefined) return
      if (kind === 'response') entry.billed.quote = quoteAtServiceTier(entry.billed.quote, readOpenAiServiceTier(line))
      add(entry, (kind === 'video' ? requestedUsage(line, models[0]) : undefined) ?? result.usage)
    },

    /** One entry for each model with an answer, or else the first model alone. */
    models(): Billed[] {
      const billed = entries.map((entry) => entry.billed)
      const answered = billed.filter((one) => one.answered > 0)
      return answered.length > 0 ? answered : billed.slice(0, 1)
    },
  }
}

const asWritten = (id: string) => id

/** If the vendor reports no length, or sells videos at one price, the request decides. */
const requestedUsage = (line: object, planned: PlannedModel | undefined) =>
  !('seconds' in line) || (planned?.estimate.tasks ?? 0) > 0 ? planned?.estimate : undefined
