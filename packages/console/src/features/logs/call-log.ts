import { Log, LogType } from '@tollgate/contract'
import { z } from 'zod'

/*
 * What the detail of a log entry says about a call. Entries that are no calls have none, users do not see the route of
 * theirs, and a part in the shape of another version is left out rather than losing the page.
 */

const Attempt = z.object({
  channel: z.number(),
  name: z.string(),
  status: z.number(),
  ms: z.number(),
  error: z.string().optional(),
  /** The last characters of the key, where the channel has several. */
  key: z.string().optional(),
  /** It was the key that failed, and another one of the channel went on. */
  passed: z.boolean().optional(),
})

const Candidate = z.object({
  channel: z.number(),
  name: z.string(),
  group: z.string().optional(),
  priority: z.number().optional(),
  weight: z.number().optional(),
  excluded: z.string().optional(),
  /** Its tier from the top, where that does not follow from the priority. */
  level: z.number().optional(),
  /** How the call chose among them, where not by priority and weight alone. */
  policy: z.string().optional(),
  /** It was taken because it has the conversation's prompt cached. */
  kept: z.boolean().optional(),
})

/** All that were looked at, in their order; those that were excluded with the reason. */
const Candidates = z
  .object({
    considered: z.array(Candidate),
    excluded: z.array(Candidate),
    policy: z.string().optional(),
    kept: z.number().optional(),
  })
  .transform(({ considered, excluded, policy, kept }) => {
    const reasons = new Map(excluded.map(({ channel, excluded: reason }) => [channel, reason]))
    return considered.map((each) => ({
      ...each,
      excluded: reasons.get(each.channel),
      ...(policy !== undefined && { policy }),
      ...(kept === each.channel && { kept: true }),
    }))
  })

const Price = z.object({
  source: z.string().optional(),
  group: z.string().optional(),
  factor: z.coerce.number().optional(),
  /** The rates are those of calls with more input than this. */
  above: z.number().optional(),
  /** Quota per token of each kind, and per search and request. */
  rates: z.record(z.string(), z.coerce.number()).optional(),
  /** Kinds for which nobody has stated a price: they were billed at what is usual. */
  assumed: z.array(z.string()).optional().catch(undefined),
})

/** Work that a vendor did as a whole: how it ended, and how many of its requests were answered. */
const Batch = z.object({
  id: z.string(),
  status: z.string(),
  requests: z.number(),
  answered: z.number(),
  unreported: z.number(),
})

const CallDetail = z.object({
  usage: z.record(z.string(), z.number()).optional().catch(undefined),
  price: Price.optional().catch(undefined),
  source: z.string().optional().catch(undefined),
  requested_model: z.string().optional().catch(undefined),
  flag: z.string().optional().catch(undefined),
  /** An agent's conversation, by the id that the agent gave it. */
  session: z.string().optional().catch(undefined),
  /** Why an answer that was begun was not ended. */
  reason: z.string().optional().catch(undefined),
  /** Kinds of tools that were offered and that the model did without. */
  dropped_tools: z.array(z.string()).optional().catch(undefined),
  /** Parameters that the model's vendor has no word for. */
  dropped_parameters: z.array(z.string()).optional().catch(undefined),
  /** Of the charge: what another model took that worked for this call. */
  beside: z.number().optional().catch(undefined),
  batch: Batch.optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  /** What the caller got. */
  status: z.number().optional().catch(undefined),
  /** Equal refusals of a minute share one entry: how many they were, and when the last of them came. */
  count: z.number().optional().catch(undefined),
  last_at: z.number().optional().catch(undefined),
  other_request_ids: z.array(z.string()).optional().catch(undefined),
  /** What was sent and answered is kept, and may be looked at. */
  recorded: z.boolean().optional().catch(undefined),
  attempts: z.array(Attempt).catch([]),
  /** Why a call that nobody answered went no further: its own fault, or the end of its time or of its retries. */
  stopped: z.enum(['request', 'time', 'retries']).optional().catch(undefined),
  candidates: Candidates.catch([]),
})

export const CallLog = Log.extend({ detail: CallDetail.nullable() })

export type CallLog = z.infer<typeof CallLog>

/** Why a call failed. The note of one that was refused here is the very sentence that its caller got. */
export const errorOf = ({ type, content, detail }: CallLog) => {
  if (detail?.error !== undefined || type !== LogType.failed) return detail?.error
  return detail?.status === undefined || content === '' ? undefined : content
}

/** Whether the entry is that of a request, alone or with others. */
export const isOfRequest = ({ request_id, detail }: CallLog, id: string) =>
  request_id === id || detail?.other_request_ids?.includes(id) === true

/** How many channels were tried after the first. */
export const retriesOf = ({ detail }: CallLog) => Math.max(0, (detail?.attempts.length ?? 0) - 1)
export type CallDetail = z.infer<typeof CallDetail>
export type Candidate = z.infer<typeof Candidate>
