import type { ChatRequest } from './chat.ts'

/** The reasoning effort that spends about as much as this budget of tokens. */
export const effortOfBudget = (budgetTokens: number) =>
  budgetTokens <= 2048 ? 'low' : budgetTokens <= 8192 ? 'medium' : 'high'

/** Whether the caller wants more than the model does by itself. */
export const asksToThink = ({ reasoning: { effort, budgetTokens } = {} }: ChatRequest) =>
  effort !== 'none' && (effort !== undefined || budgetTokens !== undefined)

/** What is named in the log when a model does not think, or not as much as requested. */
export const REASONING = ['reasoning_effort'] as const
