import { Log, LogType } from '@tollgate/contract'
import { z } from 'zod'

/*
 * The detail of a call's log entry. Entries that are not calls have none, users do not see their routing, and a part in another
 * version's shape is dropped rather than losing the page.
 */

const Attempt = z.object({
  channel: z.number(),
  name: z.string(),
  status: z.number(),
  ms: z.number(),
  error: z.string().optional(),
  /** The last characters of the key, if the channel has several. */
  key: z.string().optional(),
  /** The key failed, and another one of the channel continued. */
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
  /** The routing policy, if not by priority and weight alone. */
  policy: z.string().optional(),
  /** Chosen because it has the conversation's prompt cached. */
  kept: z.boolean().optional(),
})

/** All candidates in order, and the excluded channels with the reason. */
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
  /** The rates apply to calls with more input than this. */
  above: z.number().optional(),
  /** Quota per token of each kind, and per search and request. */
  rates: z.record(z.string(), z.coerce.number()).optional(),
  /** Kinds billed at an assumed price. */
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
  /** An agent's conversation, by the id the agent sends. */
  session: z.string().optional().catch(undefined),
  /** Why an answer was not completed. */
  reason: z.string().optional().catch(undefined),
  /** Tool types that were offered but not passed to the model. */
  dropped_tools: z.array(z.string()).optional().catch(undefined),
  /** Parameters that the model's vendor does not support. */
  dropped_parameters: z.array(z.string()).optional().catch(undefined),
  /** Part of the charge: another model that worked for this call. */
  beside: z.number().optional().catch(undefined),
  batch: Batch.optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  /** The status sent to the caller. */
  status: z.number().optional().catch(undefined),
  /** Equal refusals of a minute share one entry: their number, and the time of the last one. */
  count: z.number().optional().catch(undefined),
  last_at: z.number().optional().catch(undefined),
  other_request_ids: z.array(z.string()).optional().catch(undefined),
  /** Request and answer are recorded, and may be viewed. */
  recorded: z.boolean().optional().catch(undefined),
  attempts: z.array(Attempt).catch([]),
  /** Why no other channel was tried: the request's own fault, or its time or retries were used up. */
  stopped: z.enum(['request', 'time', 'retries']).optional().catch(undefined),
  candidates: Candidates.catch([]),
})

export const CallLog = Log.extend({ detail: CallDetail.nullable() })

export type CallLog = z.infer<typeof CallLog>

/** Why a call failed. For a refused call the note is the message its caller got. */
export const errorOf = ({ type, content, detail }: CallLog) => {
  if (detail?.error !== undefined || type !== LogType.failed) return detail?.error
  return detail?.status === undefined || content === '' ? undefined : content
}

/** Whether the entry belongs to a request, alone or with others. */
export const isOfRequest = ({ request_id, detail }: CallLog, id: string) =>
  request_id === id || detail?.other_request_ids?.includes(id) === true

/** The name that the channel of a call had then. Users do not see it. */
export const channelNameOf = ({ channel, detail }: CallLog) =>
  detail?.attempts.find((attempt) => attempt.channel === channel)?.name

/** How many channels were tried after the first. */
export const retriesOf = ({ detail }: CallLog) => Math.max(0, (detail?.attempts.length ?? 0) - 1)
export type CallDetail = z.infer<typeof CallDetail>
export type Candidate = z.infer<typeof Candidate>
