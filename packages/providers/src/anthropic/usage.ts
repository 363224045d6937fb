import { countOf, split } from '../count.ts'
import { type Fields, fieldsOf, isFields, listOf } from '../json.ts'
import { NO_USAGE, type Usage } from '../usage.ts'

/**
 * The usage in one parsed body or stream event of Anthropic's dialect; only the members that it states. Input comes
 * first and output last, and later statements replace earlier ones.
 */
export function readAnthropicUsage(body: unknown): Partial<Usage> | undefined {
  return readUsage(body, (iteration) => BESIDE.has(iteration.type))
}

/** The same without what models of another name worked for it, which `readAdvisors` tells. */
export const readUsageWithoutAdvisors = (body: unknown) =>
  readUsage(body, (iteration) => BESIDE.has(iteration.type) && !isAdvisor(iteration))

export interface AdvisorUsage {
  model: string
  usage: Usage
}

/** What was asked of other models on the way, each with its name: they have prices of their own. */
export function readAdvisors(body: unknown): AdvisorUsage[] | undefined {
  const { iterations } = fieldsOf(fieldsOf(body).usage)
  if (!Array.isArray(iterations)) return undefined
  return iterations
    .map(fieldsOf)
    .filter(isAdvisor)
    .map((iteration) => ({ model: String(iteration.model), usage: { ...NO_USAGE, ...statedIn(iteration) } }))
}

const isAdvisor = ({ type, model }: Fields) => type === 'advisor_message' && typeof model === 'string' && model !== ''

function readUsage(body: unknown, isBeside: (iteration: Fields) => boolean): Partial<Usage> | undefined {
  if (!isFields(body)) return undefined
  if (isFields(body.usage)) return withBeside(statedIn(body.usage), body.usage, isBeside)
  if (!isFields(body.message) || !isFields(body.message.usage)) return undefined
  // The first event counts a token or two of output that later counts contain: if the stream is cut, no count of
  // output is better than one that looks like the final one.
  return inputOf(body.message.usage)
}

const statedIn = (usage: Fields) => ({ ...inputOf(usage), ...outputOf(usage), ...searchesOf(usage) })

/** Work on the side, which the totals leave out: summaries of a conversation that grew too long, and a second opinion. */
const BESIDE = new Set<unknown>(['compaction', 'advisor_message'])

/** Everything that was worked for an answer is billed, also what its totals do not contain. */
function withBeside(stated: Partial<Usage>, { iterations }: Fields, isBeside: (iteration: Fields) => boolean) {
  const beside = listOf(iterations).map(fieldsOf).filter(isBeside)
  return beside.map(statedIn).reduce<Partial<Usage>>((sum, other) => added(sum, likewise(stated, other)), stated)
}

/** Totals that do not tell caches of different ages apart go with parts that do not. */
const likewise = ({ cacheWriteLong: reported }: Partial<Usage>, { cacheWriteLong, ...usage }: Partial<Usage>) =>
  reported !== undefined || cacheWriteLong === undefined
    ? { ...usage, ...(cacheWriteLong === undefined ? {} : { cacheWriteLong }) }
    : { ...usage, cacheWrite: (usage.cacheWrite ?? 0) + cacheWriteLong }

const BUCKETS = Object.keys(NO_USAGE) as (keyof Usage)[] // the keys of a literal of that type

const added = (one: Partial<Usage>, other: Partial<Usage>): Partial<Usage> =>
  Object.fromEntries(
    BUCKETS.filter((name) => one[name] !== undefined || other[name] !== undefined).map((name) => [
      name,
      (one[name] ?? 0) + (other[name] ?? 0),
    ]),
  )

/** The three counts of input are disjoint as they come. How long the cache lives is told by a whole answer's usage only. */
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

/** Only a search that was carried out is counted, and billed. */
function searchesOf({ server_tool_use: used }: Fields): Partial<Usage> {
  const webSearches = isFields(used) ? countOf(used.web_search_requests) : undefined
  return webSearches === undefined ? {} : { webSearches }
}
