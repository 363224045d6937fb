import type { AuditEvent } from '@tollgate/contract'

/** A change that can be taken back from the audit log: the values to restore, and those that the change had set. */
export type Undo =
  | { of: 'option'; key: string; value: string; base: string }
  | { of: Noun; id: number; restore: Values; set: Values }

type Noun = 'channel' | 'user' | 'budget' | 'alert_rule'
type Values = Record<string, unknown>

/**
 * What can be given back as it was. A channel's other fields are part of its key's seal, or secret. A user's balance belongs to the
 * ledger, and role and status end sessions: they are changed on purpose, in their own place.
 */
const FIELDS: Record<Noun, readonly string[]> = {
  channel: ['name', 'tag', 'models', 'group', 'model_mapping', 'system_prompt', 'priority', 'weight'],
  user: ['username', 'display_name', 'group', 'rate_limits'],
  budget: ['quota', 'period', 'rolling', 'zone', 'raise_quota', 'raise_until'],
  alert_rule: ['threshold', 'minimum', 'quiet_minutes', 'enabled', 'destinations'],
}

/** Undefined for what cannot be restored: a creation, a deletion, a secret, or a text that is not stored whole. */
export const undoOf = ({ action, target, before, after }: AuditEvent): Undo | undefined => {
  if (before === null || after === null) return undefined
  const name = target.slice(target.indexOf(':') + 1)
  if (action === 'option.update') {
    const [value, base] = [before.value, after.value]
    return isWhole(value) && isWhole(base) ? { of: 'option', key: name, value, base } : undefined
  }
  const noun = NOUNS.find((one) => action === `${one}.update`)
  const fields = Object.keys(before)
  if (noun === undefined || fields.length === 0 || !fields.every((field) => FIELDS[noun].includes(field)))
    return undefined
  const [restore, set] = [wireValues(before), wireValues(after)]
  return restore && set && { of: noun, id: Number(name), restore, set }
}

const NOUNS = ['channel', 'user', 'budget', 'alert_rule'] as const satisfies Noun[]

const isWhole = (value: unknown): value is string =>
  typeof value === 'string' && !value.startsWith('sha256:') && !value.endsWith('…')

/** As the API takes and returns them: two lists are recorded as text. Undefined when one of them cannot be read. */
function wireValues(recorded: Values): Values | undefined {
  const values = Object.entries(recorded).map(([field, value]): [string, unknown] => [field, wireValue(field, value)])
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values)
}

function wireValue(field: string, value: unknown): unknown {
  if (field === 'rate_limits') return value === '' ? {} : parsed(value)
  if (field === 'destinations') return parsed(value)
  return ['string', 'number', 'boolean'].includes(typeof value) ? value : undefined
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
