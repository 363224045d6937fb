import { Log } from '@tollgate/contract'
import { z } from 'zod'

/*
 * What a log entry may know about a call. All of it is optional: entries of other types, and those of older versions,
 * have none. A part in an unknown shape is left out rather than losing the page.
 */

const Attempt = z.object({
  channel: z.number(),
  name: z.string().default(''),
  status: z.number().default(0),
  ms: z.number().default(0),
  error: z.string().optional(),
})

const Candidate = z.object({
  channel: z.number(),
  name: z.string().default(''),
  group: z.string().optional(),
  priority: z.number().optional(),
  weight: z.number().optional(),
  excluded: z.string().optional(),
})

/** A plain list, or those considered and those excluded apart. */
const Candidates = z.union([
  z.array(Candidate),
  z.object({ considered: z.array(Candidate).default([]), excluded: z.array(Candidate).default([]) }).transform(merged),
])

const Price = z.object({
  source: z.string().optional(),
  group: z.string().optional(),
  factor: z.coerce.number().optional(),
  /** Quota per token of each kind. */
  rates: z.record(z.string(), z.coerce.number()).optional(),
})

const CallDetail = z.object({
  usage: z.record(z.string(), z.number()).optional().catch(undefined),
  price: Price.optional().catch(undefined),
  source: z.string().optional().catch(undefined),
  requested_model: z.string().optional().catch(undefined),
  flag: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  attempts: z.array(Attempt).default([]).catch([]),
  candidates: Candidates.default([]).catch([]),
})

export const CallLog = Log.extend({
  request_id: z.string().default('').catch(''),
  elapsed_time: z.number().default(0).catch(0),
  first_byte_time: z.number().default(0).catch(0),
  is_stream: z.boolean().optional().catch(undefined),
  detail: CallDetail.nullish().catch(null),
})

export type CallLog = z.infer<typeof CallLog>
export type CallDetail = z.infer<typeof CallDetail>
export type Candidate = z.infer<typeof Candidate>

type Lists = { considered: Candidate[]; excluded: Candidate[] }

function merged({ considered, excluded }: Lists): Candidate[] {
  const reasons = new Map(excluded.map(({ channel, excluded: reason }) => [channel, reason]))
  const known = new Set(considered.map(({ channel }) => channel))
  return [
    ...considered.map((each) => ({ ...each, excluded: reasons.get(each.channel) })),
    ...excluded.filter(({ channel }) => !known.has(channel)),
  ]
}
