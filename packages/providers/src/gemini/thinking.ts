import type { ChatRequest } from '../chat.ts'
import type { ModelRules } from './model.ts'

/** Requests reasoning: as a budget from 2.5 models, as a level from later ones. */
export function toThinkingConfig(reasoning: ChatRequest['reasoning'], rules: ModelRules) {
  if (reasoning === undefined || rules.thinking === 'none') return undefined
  const { effort, budgetTokens } = reasoning
  const includeThoughts = effort !== 'none'
  if (rules.thinking === 'level') {
    const level = levelOf(reasoning, rules)
    return level === undefined ? { includeThoughts } : { includeThoughts, thinkingLevel: level }
  }
  if (effort === 'none') return { includeThoughts, thinkingBudget: rules.budgetMin }
  // -1 lets the model decide.
  const budget = budgetTokens ?? BUDGETS.get(effort ?? '') ?? -1
  return { includeThoughts, thinkingBudget: budget === -1 ? -1 : Math.max(rules.budgetMin, budget) }
}

/** The same values as Google's own OpenAI-compatible API. */
const BUDGETS = new Map<string, number>([
  ['minimal', 1024],
  ['low', 1024],
  ['medium', 8192],
  ['high', 24_576],
  ['xhigh', 24_576],
  ['max', 24_576],
])

/** Every model supports LOW and HIGH; thinking cannot be switched off. */
function levelOf({ effort, budgetTokens }: NonNullable<ChatRequest['reasoning']>, { mediumLevel }: ModelRules) {
  if (effort === undefined && budgetTokens === undefined) return undefined
  if (effort === undefined) return (budgetTokens ?? 0) <= 8192 ? 'LOW' : 'HIGH'
  if (effort === 'medium') return mediumLevel ? 'MEDIUM' : 'HIGH'
  return effort === 'high' || effort === 'xhigh' || effort === 'max' ? 'HIGH' : 'LOW'
}
