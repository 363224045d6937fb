import { FAMILY } from './family.ts'
import { leastEffort } from './least-effort.ts'

const SCALE: readonly string[] = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/**
 * The nearest effort that the model knows. OpenAI's generations have different scales and refuse the rest; agents of other vendors
 * use the scale of theirs. Models of others get the effort unchanged.
 */
export function knownEffort(model: string, effort: string): string | undefined {
  if (effort === 'none') return leastEffort(model)
  const range = rangeOf(model)
  const at = SCALE.indexOf(effort)
  if (range === undefined || at < 0) return effort
  const [least, most] = range
  return SCALE[Math.min(Math.max(at, SCALE.indexOf(least)), SCALE.indexOf(most))]
}

/** The same in a chat: the highest one exists in Responses alone. */
export const knownChatEffort = (model: string, effort: string) => {
  const known = knownEffort(model, effort)
  return known === 'max' && rangeOf(model) !== undefined ? 'xhigh' : known
}

/** Undefined for models of others. */
function rangeOf(model: string): readonly [least: string, most: string] | undefined {
  if (/(^|\/)gpt-oss/.test(model)) return ['low', 'high']
  const family = FAMILY.exec(model)
  if (family === null) return undefined
  const [, number, kind] = family
  if (model.includes('deep-research') || kind === 'chat') return ['medium', 'medium']
  if (number === undefined) return ['low', 'high']
  const version = Number(number)
  if (version < 5) return undefined
  const most = version >= 5.6 ? 'max' : version >= 5.2 || model.includes('-codex-max') ? 'xhigh' : 'high'
  if (kind === 'pro') return [version === 5 ? 'high' : 'medium', most]
  return [version === 5 && kind === undefined ? 'minimal' : 'low', most]
}
