import type { RoutingPolicy } from '@tollgate/contract'

/** How a call found its channels, as operators see it. */
export interface LoggedCandidates {
  considered: ConsideredChannel[]
  excluded: Exclusion[]
  /** The routing policy, if not the default. */
  policy?: RoutingPolicy
  /** The channel chosen because it has the conversation's prompt cached. */
  kept?: number
}

/** Why a channel was skipped. */
export interface Exclusion {
  channel: number
  name: string
  excluded: string
}

interface ConsideredChannel {
  channel: number
  name: string
  group: string
  priority: number
  weight: number
  /** Its tier from the top, where that does not follow from the priority. */
  level?: number
}

/** One attempt at a channel. */
export interface Attempt {
  channel: number
  name: string
  status: number
  ms: number
  error?: string
  /** The last characters of the key, if the channel has several. */
  key?: string
  /** The key failed, and another key of the channel continued the call. */
  passed?: true
}

/** The source of the cost: reported by the vendor, counted by us, or replaced because the report was implausible. */
export type CostSource = 'reported' | 'estimated' | 'usage_anomaly'

/** What explains an entry. The members named here are those with a short form. */
export interface CallDetail {
  source?: CostSource | undefined
  price?: { factor: string; [member: string]: unknown } | undefined
  attempts?: readonly Attempt[] | undefined
  [member: string]: unknown
}

/*
 * Every call has attempts and candidates, so they are stored in a short form: with the long one an entry would be half as
 * long again. A tier has its group once, and a channel is its id, name, weight and priority without trailing zeros; an
 * attempt that has nothing more to say is its channel, name, status and duration; the usual source and factor are left
 * out. Entries of earlier versions have the long form.
 */

const USUAL_SOURCE: CostSource = 'reported'
const USUAL_FACTOR = '1'

type ShortAttempt = [channel: number, name: string, status: number, ms: number]

type ShortChannel = [id: number, name: string, weight?: number, priority?: number]

interface ShortCandidates extends Partial<Pick<LoggedCandidates, 'excluded' | 'policy' | 'kept'>> {
  tiers: { group: string; channels: ShortChannel[]; level?: number }[]
}

interface Channel {
  id: number
  name: string
  weight: number
  priority: number
}

/** The members of a tier that are the same for all calls, as JSON without braces. */
export const tierText = (group: string, channels: readonly Channel[]) =>
  `"group":${JSON.stringify(group)},"channels":${JSON.stringify(channels.map(shortChannel))}`

/** The candidates of a call, as JSON in the short form. */
export const candidatesText = (
  tiers: readonly { text: string; level?: number }[],
  { excluded, policy, kept }: Omit<LoggedCandidates, 'considered'>,
) => {
  const found = tiers.map(({ text, level }) => (level === undefined ? `{${text}}` : `{"level":${level},${text}}`))
  // JSON drops undefined members.
  const rest = JSON.stringify({ excluded: excluded.length === 0 ? undefined : excluded, policy, kept }).slice(1)
  return `{"tiers":[${found.join(',')}]${rest === '}' ? '' : ','}${rest}`
}

/** The detail of an entry, as stored: the candidates come last, because some readers stop before them. */
export const detailText = (detail: CallDetail, candidates: string | undefined) => {
  const { source, price, attempts } = detail
  // JSON drops undefined members.
  const short = {
    ...detail,
    source: source === USUAL_SOURCE ? undefined : source,
    price: price?.factor === USUAL_FACTOR ? { ...price, factor: undefined } : price,
    attempts: attempts?.map(shortAttempt),
  }
  const text = JSON.stringify(short)
  if (candidates === undefined) return text
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"candidates":${candidates}}`
}

/**
 * The member of a refused call whose model no channel offers, as it is stored: the figures count it under no model. It cannot be part
 * of another member's text, in which quotes are escaped.
 */
export const UNCOUNTED_MODEL = '"counted_model":""'

/** The detail of a stored entry in the long form. */
export const parseDetail = (text: string) => {
  const detail = JSON.parse(text)
  if (detail.usage !== undefined) detail.source ??= USUAL_SOURCE
  if (detail.price !== undefined) detail.price.factor ??= USUAL_FACTOR
  if (detail.attempts !== undefined) detail.attempts = detail.attempts.map(longAttempt)
  if (detail.candidates !== undefined) detail.candidates = longCandidates(detail.candidates)
  return detail
}

const shortAttempt = (attempt: Attempt): Attempt | ShortAttempt => {
  const { channel, name, status, ms, error, key, passed } = attempt
  return error === undefined && key === undefined && passed === undefined ? [channel, name, status, ms] : attempt
}

const longAttempt = (stored: Attempt | ShortAttempt): Attempt => {
  if (!Array.isArray(stored)) return stored
  const [channel, name, status, ms] = stored
  return { channel, name, status, ms }
}

const longCandidates = (stored: LoggedCandidates | ShortCandidates): LoggedCandidates => {
  if (!('tiers' in stored)) return stored
  const { tiers, excluded = [], ...rest } = stored
  const considered = tiers.flatMap(({ group, level, channels }) =>
    channels.map(([channel, name, weight = 0, priority = 0]) => ({
      ...{ channel, name, group, priority, weight },
      ...(level !== undefined && { level }),
    })),
  )
  return { considered, excluded, ...rest }
}

function shortChannel({ id, name, weight, priority }: Channel): ShortChannel {
  if (priority !== 0) return [id, name, weight, priority]
  return weight === 0 ? [id, name] : [id, name, weight]
}
