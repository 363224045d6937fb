import { effortOfBudget } from '../budget-effort.ts'
import type { ChatRequest } from '../chat.ts'
import { FAMILY } from './family.ts'
import { leastEffort } from './least-effort.ts'

/*
 * OpenAI's models refuse temperature, top_p and penalties while they think, by their presence alone. Up to 5.0 its reasoning models always
 * think; later ones need not, and from 5.5 on they do unless they are told not to.
 */

/** Whether it thinks at this effort; undefined for a model that cannot. */
function thinks(request: ChatRequest): boolean | undefined {
  const family = FAMILY.exec(request.model)
  if (family === null) return undefined
  const [, version, kind] = family
  if (version !== undefined && (Number(version) < 5 || (version === '5' && kind === 'chat'))) return undefined
  const effort = effortOf(request)
  return effort === undefined
    ? version === undefined || kind !== undefined || thinksByItself(version)
    : effort !== 'none'
}

const effortOf = ({ model, reasoning: { effort, budgetTokens } = {} }: ChatRequest) => {
  if (effort === 'none') return leastEffort(model)
  return effort ?? (budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens))
}

const thinksByItself = (version: string) => !['5.1', '5.2', '5.3', '5.4'].includes(version)

/** Whether the model thinks without being asked to, and takes a word against it. */
export const thinksByDefault = (model: string) => {
  const [, version = '0', kind] = FAMILY.exec(model) ?? []
  return kind === undefined && Number(version) > 5 && thinksByItself(version)
}

type Sampling = Pick<ChatRequest, 'temperature' | 'topP' | 'frequencyPenalty' | 'presencePenalty'>

/** The sampling that the model takes. */
export const samplingOf = (request: ChatRequest): Sampling => (thinks(request) ? {} : request)

/** What is named in the log; a default value changes nothing. */
export const lostSampling = (request: ChatRequest) => {
  if (!thinks(request)) return []
  const { temperature = 1, topP = 1 } = request
  return [
    ...(temperature === 1 ? [] : (['temperature'] as const)),
    ...(topP === 1 ? [] : (['top_p'] as const)),
    ...(['frequency_penalty', 'presence_penalty'] as const),
  ]
}
