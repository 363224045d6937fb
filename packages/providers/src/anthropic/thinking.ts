import { asksToThink, effortOfBudget } from '../budget-effort.ts'
import type { ChatRequest } from '../chat.ts'
import { type ModelRules, rulesOf } from './model.ts'

/** Requests reasoning: as a budget from older models, as an effort from newer ones. */
export function toThinking(request: ChatRequest, rules: ModelRules, maxTokens: number) {
  const { reasoning } = request
  if (reasoning === undefined || rules.thinking === 'none') return {}
  if (reasoning.effort === 'none') return least(rules)
  if (rules.forcedTools && isForced(request)) return {}
  if (rules.thinking === 'adaptive') {
    return {
      thinking: { type: 'adaptive', display: 'summarized' },
      effort: toEffort(reasoning.effort ?? budgetEffort(reasoning.budgetTokens), rules),
    }
  }
  if (!startsWithThinking(request)) return {}
  const budget = Math.min(
    reasoning.budgetTokens ?? BUDGETS.get(reasoning.effort ?? '') ?? 8192,
    Math.floor(maxTokens * 0.8),
  )
  return budget < BUDGET_MIN ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }
}

/** As little as the model can think. */
function least({ withoutThinking: off }: ModelRules): { thinking?: { type: string }; effort?: string } {
  if (off === 'nothing said') return {}
  return off === 'impossible' ? { effort: 'low' } : { thinking: { type: off } }
}

/** The kinds of thinking with which Claude refuses any sampling of its caller's. */
export const THINKS: ReadonlySet<unknown> = new Set(['enabled', 'adaptive'])

/** Whether it thinks because the caller asked for it. */
export function thinksOnRequest(request: ChatRequest) {
  const rules = rulesOf(request.model)
  return THINKS.has(toThinking(request, rules, request.maxTokens ?? rules.maxTokens).thinking?.type)
}

/** Reasoning was requested, and neither this model nor this turn allows it. */
export const losesThinking = (request: ChatRequest) => asksToThink(request) && !thinksOnRequest(request)

const budgetEffort = (tokens: number | undefined) => (tokens === undefined ? undefined : effortOfBudget(tokens))

const BUDGET_MIN = 1024
const BUDGETS = new Map<string, number>([
  ['minimal', 1024],
  ['low', 2048],
  ['medium', 8192],
  ['high', 16_384],
  ['xhigh', 32_000],
  ['max', 32_000],
])

function toEffort(effort: string | undefined, { xhigh }: ModelRules) {
  if (effort === 'minimal') return 'low'
  if (effort === 'xhigh' && !xhigh) return 'high'
  return effort
}

/** A model that is forced to call a tool may not think first. */
const isForced = ({ toolChoice, tools = [] }: ChatRequest) =>
  tools.length > 0 && (toolChoice === 'required' || typeof toolChoice === 'object')

/**
 * With a budget, a turn that continues after a tool result must start with the thinking that led to the call; clients of
 * other dialects have lost it, so such a turn is finished without thinking, and so is a message that the caller has begun.
 */
function startsWithThinking({ messages }: ChatRequest) {
  if (messages.at(-1)?.role === 'assistant') return false
  if (messages.at(-1)?.role !== 'tool') return true
  const turn = messages.findLast(({ role }) => role === 'assistant')
  const [first] = turn?.content ?? []
  return first?.type === 'reasoning' && (first.signature ?? first.redacted) !== undefined
}
