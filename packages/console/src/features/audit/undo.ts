import type { AuditEvent } from '@tollgate/contract'

/** A change that can be taken back from the audit log: the values to restore, and those that the change had set. */
export type Undo =
  | { of: 'option'; key: string; value: string; base: string }
  | { of: 'channel'; id: number; restore: Values; set: Values }

type Values = Record<string, string | number>

/** What a channel can be given back as it was. The others are part of its key's seal, or secret. */
const CHANNEL_FIELDS = ['name', 'tag', 'models', 'group', 'model_mapping', 'system_prompt', 'priority', 'weight']

/** Undefined for what cannot be restored: a creation, a deletion, a secret, or a text that is not stored whole. */
export const undoOf = ({ action, target, before, after }: AuditEvent): Undo | undefined => {
  if (before === null || after === null) return undefined
  const name = target.slice(target.indexOf(':') + 1)
  if (action === 'option.update') {
    const [value, base] = [before.value, after.value]
    return isWhole(value) && isWhole(base) ? { of: 'option', key: name, value, base } : undefined
  }
  if (action !== 'channel.update' || !Object.keys(before).every((field) => CHANNEL_FIELDS.includes(field)))
    return undefined
  return isPlain(before) && isPlain(after)
    ? { of: 'channel', id: Number(name), restore: before, set: after }
    : undefined
}

const isWhole = (value: unknown): value is string =>
  typeof value === 'string' && !value.startsWith('sha256:') && !value.endsWith('…')

const isPlain = (values: Record<string, unknown>): values is Values =>
  Object.values(values).every((value) => typeof value === 'string' || typeof value === 'number')
