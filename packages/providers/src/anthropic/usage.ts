import { countOf, split } from '../count.ts'
import { type Fields, fieldsOf, isFields, listOf } from '../json.ts'
import { BUCKETS, NO_USAGE, type Usage } from '../usage.ts'
import { declinedIn, servingTurns } from './declined.ts'

/**
 * The usage in one parsed body or stream event of Anthropic's dialect; only the members it contains. Input comes first and
 * output last, and later values replace earlier ones.
 */
export function readAnthropicUsage(body: unknown): Partial<Usage> | undefined {
  return readUsage(body, (iteration) => BESIDE.has(iteration.type))
}

/** The same without the usage of advisor models, which `readAdvisors` returns. */
export const readUsageWithoutAdvisors = (body: unknown) =>
  readUsage(body, (iteration) => BESIDE.has(iteration.type) && !isAdvisor(iteration))

export interface AdvisorUsage {
  model: string
  usage: Usage
}

/** Usage of advisor models, and of models that declined after some words, by name: they have their own prices. */
export function readAdvisors(body: unknown): AdvisorUsage[] | undefined {
  const { iterations } = fieldsOf(fieldsOf(body).usage)
  if (!Array.isArray(iterations)) return undefined
  return [...iterations.map(fieldsOf).filter(isAdvisor), ...declinedIn(body)].map((iteration) => ({
    model: String(iteration.model),
    usage: { ...NO_USAGE, ...statedIn(iteration) },
  }))
}

const isAdvisor = ({ type, model }: Fields) => type === 'advisor_message' && typeof model === 'string' && model !== ''

function readUsage(body: unknown, isBeside: (iteration: Fields) => boolean): Partial<Usage> | undefined {
  if (!isFields(body)) return undefined
  if (isFields(body.usage)) return withBeside(servedIn(body) ?? statedIn(body.usage), body.usage, isBeside)
  if (!isFields(body.message) || !isFields(body.message.usage)) return undefined
  // The first event counts a token or two of output that later counts include: if the stream is cut off, no output
  // count is better than one that looks final.
  return inputOf(body.message.usage)
}

const statedIn = (usage: Fields) => ({ ...inputOf(usage), ...outputOf(usage), ...searchesOf(usage) })

/** Side work that the totals leave out: compaction of long conversations, and advisor models. */
const BESIDE = new Set<unknown>(['compaction', 'advisor_message'])

/** All work for an answer is billed, including what its totals leave out. */
function withBeside(stated: Partial<Usage>, { iterations }: Fields, isBeside: (iteration: Fields) => boolean) {
  const beside = listOf(iterations).map(fieldsOf).filter(isBeside)
  return beside.map(statedIn).reduce<Partial<Usage>>((sum, other) => added(sum, likewise(stated, other)), stated)
}

/** The turns of a fallback model. In a stream the totals may count the model that declined, too. */
function servedIn(body: Fields): Partial<Usage> | undefined {
  const turns = servingTurns(body)
  return turns.length === 0 ? undefined : turns.map(statedIn).reduce(added, searchesOf(fieldsOf(body.usage)))
}

/** Totals without separate cache lifetimes go with iterations that have none either. */
const likewise = ({ cacheWriteLong: reported }: Partial<Usage>, { cacheWriteLong, ...usage }: Partial<Usage>) =>
  reported !== undefined || cacheWriteLong === undefined
    ? { ...usage, ...(cacheWriteLong === undefined ? {} : { cacheWriteLong }) }
    : { ...usage, cacheWrite: (usage.cacheWrite ?? 0) + cacheWriteLong }

const added = (one: Partial<Usage>, other: Partial<Usage>): Partial<Usage> =>
  Object.fromEntries(
    BUCKETS.filter((name) => one[name] !== undefined || other[name] !== undefined).map((name) => [
      name,
      (one[name] ?? 0) + (other[name] ?? 0),
    ]),
  )

/** The three input counts are disjoint. Cache lifetimes appear only in the usage of a whole answer. */
function inputOf(usage: Fields): Partial<Usage> {
  const written = countOf(usage.cache_creation_input_tokens)
  const long = countOf(fieldsOf(usage.cache_creation).ephemeral_1h_input_tokens)
  const stated = {
    input: countOf(usage.input_tokens),
    cachedInput: countOf(usage.cache_read_input_tokens),
    cacheWrite: written === undefined ? undefined : Math.max(0, written - (long ?? 0)),
    cacheWriteLong: written === undefined ? undefined : long && Math.min(long, written),
  }
  return Object.fromEntries(Object.entries(stated).filter(([, count]) => count !== undefined))
}

function outputOf(usage: Fields): Partial<Usage> {
  const total = countOf(usage.output_tokens)
  if (total === undefined) return {}
  const { reasoning, rest } = split(total, [
    ['reasoning', countOf(fieldsOf(usage.output_tokens_details).thinking_tokens)],
  ])
  return { output: rest, reasoning }
}

/** Only searches that were carried out are counted and billed. */
function searchesOf({ server_tool_use: used }: Fields): Partial<Usage> {
  const webSearches = isFields(used) ? countOf(used.web_search_requests) : undefined
  return webSearches === undefined ? {} : { webSearches }
}
