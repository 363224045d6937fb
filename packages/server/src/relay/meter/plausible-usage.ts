import { type Fields, inputTokens, isFields, outputTokens, type Usage } from '@tollgate/providers'
import { isTooDeep } from '../../common/too-deep.ts'
import { TOOLS } from '../../ledger/rounding.ts'
import type { Call } from '../surfaces/call.ts'
import { copiesOf } from './estimate.ts'
import { searchesByItself } from './max-tool-use.ts'

/** A vendor's usage. An impossible value, such as -5 tokens, is distinguished from none, and an answer that is not billed from both. */
export type Reported = Usage | 'implausible' | 'free'

/*
 * Whether usage is plausible is judged by what a vendor can do, not by what was sent:
 *
 * - No count is negative, fractional, or above 100 million, and no call runs a tool more than 1000 times.
 * - An answer has at most 400,000 tokens per choice, more than any current model can write.
 * - A call reads at most a context window of 2 million tokens. With server tools it rereads its window in every turn, from its
 * cache or not, and writes in each; it takes up to 50 turns. So does a realtime conversation.
 * - A self-contained call reads what was sent: at most 20 times our count, plus 10,000 tokens that vendors add.
 */
const TOKENS_MAX = 100_000_000
const SEARCHES_MAX = 1000
const ANSWER = 400_000
const WINDOW = 2_000_000
const TURNS = 50
const TIMES = 20
const SLACK = 10_000

/** The request; undefined when the vendor stores the conversation. */
export type CheckedRequest = (Pick<Call, 'model' | 'body'> & Partial<Pick<Call, 'operation'>>) | undefined

export const isPlausible = (usage: Usage, request: CheckedRequest, countInput: () => number): boolean => {
  for (const bucket in usage) if (!isCount(usage[bucket as keyof Usage])) return false
  const tools = TOOLS.reduce((sum, tool) => Math.max(sum, usage[tool]), 0)
  if (tools > SEARCHES_MAX) return false
  const input = inputTokens(usage)
  const output = outputTokens(usage)
  // The common case, plausible for any call.
  if (input <= TIMES * SLACK && output <= ANSWER) return true
  const turns = tools > 0 || mayTakeTurns(request) ? TURNS : 1
  if (output > ANSWER * turns * (request === undefined ? 1 : copiesOf(request)) || input > WINDOW * turns) return false
  return turns > 1 || request === undefined || refersElsewhere(request) || input <= TIMES * (countInput() + SLACK)
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0 && value <= TOKENS_MAX

/** Whether the vendor may run server tools, or the call is a conversation. The caller's own tools end its turn. */
function mayTakeTurns(request: CheckedRequest): boolean {
  if (request === undefined) return false
  const { body, model, operation } = request
  if (operation?.name === 'realtime') return true
  const tools = Array.isArray(body.tools) ? body.tools : []
  return RUNS_TOOLS.some((name) => body[name] != null) || searchesByItself(model) || tools.some(isOfVendor)
}

const RUNS_TOOLS = ['mcp_servers', 'web_search_options', 'search_parameters', 'plugins', 'container', 'agent']
const OF_CALLER = ['function', 'input_schema', 'functionDeclarations', 'function_declarations']

const isOfVendor = (tool: unknown) =>
  isFields(tool) && tool.type !== 'function' && tool.type !== 'custom' && !OF_CALLER.some((name) => name in tool)

/** Whether the vendor reads something that we do not see: earlier turns, files, images. */
function refersElsewhere({ body }: Pick<Call, 'body'>): boolean {
  return !isTooDeep(body) && REFERENCES.test(JSON.stringify(body))
}

const REFERENCES =
  /"(?:previous_response_id|conversation|cachedContent|cached_content|file_?[iI]d|file_?[uU]r[il]|url|image_url|vector_store_ids)"|"prompt":\{"/

/** Whether a body or event contains invalid token counts: negative, fractional, or not a number. */
export const hasInvalidUsage = (body: unknown): boolean => {
  const usage = usageIn(body)
  if (usage === undefined) return false
  for (const name in usage) {
    const value = usage[name]
    if (typeof value === 'object' || (Number.isSafeInteger(value) && Number(value) >= 0)) continue
    if (/token/i.test(name)) return true
  }
  return false
}

/** Where the dialects put it. */
function usageIn(body: unknown): Fields | undefined {
  if (!isFields(body)) return undefined
  const inner = [body.usage, body.usageMetadata, usageOf(body.response), usageOf(body.message)]
  return inner.find(isFields)
}

const usageOf = (value: unknown) => (isFields(value) ? value.usage : undefined)
