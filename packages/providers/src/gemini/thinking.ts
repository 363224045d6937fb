import type { ChatRequest } from '../chat.ts'
import type { ModelRules } from './model.ts'

/** How a wish for reasoning is put: as a budget to the models of 2.5, as a level to those after them. */
export function toThinkingConfig(reasoning: ChatRequest['reasoning'], rules: ModelRules) {
  if (reasoning === undefined || rules.thinking === 'none') return undefined
  const { effort, budgetTokens } = reasoning
  const includeThoughts = effort !== 'none'
  if (rules.thinking === 'level') {
    const level = levelOf(reasoning, rules)
    return level === undefined ? { includeThoughts } : { includeThoughts, thinkingLevel: level }
  }
  if (effort === 'none') return { includeThoughts, thinkingBudget: rules.budgetMin }
  // -1 leaves it to the model.
  const budget = budgetTokens ?? BUDGETS[effort ?? ''] ?? -1
  return { includeThoughts, thinkingBudget: budget === -1 ? -1 : Math.max(rules.budgetMin, budget) }
}

/** What Google's own OpenAI surface makes of an effort. */
const BUDGETS: Record<string, number> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
}

/** Every model knows LOW and HIGH; thinking can not be switched off. */
function levelOf({ effort, budgetTokens }: NonNullable<ChatRequest['reasoning']>, { mediumLevel }: ModelRules) {
  if (effort === undefined && budgetTokens === undefined) return undefined
  if (effort === undefined) return (budgetTokens ?? 0) <= 8192 ? 'LOW' : 'HIGH'
  if (effort === 'medium') return mediumLevel ? 'MEDIUM' : 'HIGH'
  return effort === 'high' || effort === 'xhigh' || effort === 'max' ? 'HIGH' : 'LOW'
}
