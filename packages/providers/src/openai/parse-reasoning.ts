import type { ChatRequest } from '../chat.ts'
import { defined, type Fields, isFields } from '../json.ts'
import { type ChatCompletionRequest, TOKENS_MAX } from './request-schema.ts'

type Given = Pick<ChatCompletionRequest, 'reasoning_effort' | 'reasoning'>

/**
 * How much the model should think: as OpenAI writes it, or in one of the forms that compatible vendors have for it, which callers keep
 * when they change to another model. `rest` are the members that it does not cover.
 */
export function toReasoning(
  { reasoning_effort, reasoning }: Given,
  extra: Fields,
): { reasoning?: ChatRequest['reasoning']; rest: Fields } {
  const { thinking, enable_thinking, thinking_budget, ...others } = extra
  const switched = typeof enable_thinking === 'boolean' ? enable_thinking : undefined
  const limit = isBudget(thinking_budget) ? thinking_budget : undefined
  const own = isThinking(thinking) ? thinking : undefined
  const rest = {
    ...others,
    ...(own === undefined && thinking !== undefined ? { thinking } : {}),
    ...(switched === undefined && enable_thinking !== undefined ? { enable_thinking } : {}),
    ...(limit === undefined && thinking_budget !== undefined ? { thinking_budget } : {}),
  }
  const isOff = own?.type === 'disabled' || switched === false
  const effort = reasoning_effort ?? reasoning?.effort ?? (isOff ? 'none' : undefined)
  const budgetTokens = reasoning?.max_tokens ?? (isOff ? undefined : (own?.budget_tokens ?? limit))
  const isAsked = effort !== undefined || budgetTokens !== undefined || own !== undefined || switched !== undefined
  return { rest, ...(isAsked ? { reasoning: defined({ effort, budgetTokens }) } : {}) }
}

const isBudget = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= TOKENS_MAX

/** The form of Anthropic, DeepSeek, GLM, Kimi and Doubao; with members of one vendor alone it stays as it is. */
const isThinking = (value: unknown): value is { type: string; budget_tokens?: number } =>
  isFields(value) &&
  /^(?:enabled|disabled|adaptive|auto)$/.test(String(value.type)) &&
  Object.keys(value).every((name) => name === 'type' || (name === 'budget_tokens' && isBudget(value[name])))
