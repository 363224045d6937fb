import type { Text } from '@tollgate/contract'
import { GatewayError, type Language } from './errors.ts'
import { fieldName } from './field-names.ts'

interface StaleQuery {
  /** What the author of the edit saw of the members that it changes; undefined from clients that do not say. */
  base: Readonly<Record<string, unknown>> | undefined
  edit: object
  /** The stored members as clients get them. */
  now: object
  /** The path of the endpoint, for the names of its fields. */
  path: string
}

/**
 * Refuses to overwrite what somebody else has saved since the form was opened. A repeated call, whose first answer was lost, finds
 * its own value. The stored values are returned as `changed`: an edit with them as its base overwrites them.
 */
export function refuseStale({ base = {}, edit, now, path }: StaleQuery) {
  const stored = new Map<string, unknown>(Object.entries(now))
  const sent = new Map<string, unknown>(Object.entries(edit))
  const stale = Object.entries(base).filter(
    ([name, seen]) => stored.has(name) && sent.has(name) && !isOneOf(stored.get(name), [seen, sent.get(name)]),
  )
  const [first] = stale
  if (first === undefined) return
  const fields = stale.flatMap(([name, seen]) => fieldsOf(name, seen, stored.get(name)))
  const namesIn = (language: Language) =>
    fields
      .map((field) => described(fieldName(path, field, language), stored.get(field), language))
      .join(COMMA[language])
  const names: Text = { zh: namesIn('zh'), en: namesIn('en') }
  const changed = Object.fromEntries(stale.map(([name]) => [name, stored.get(name)]))
  throw new GatewayError('edit.changed_meanwhile', { names, field: fields[0] ?? first[0] }, { extra: { changed } })
}

const COMMA: Record<Language, string> = { zh: '、', en: ', ' }

const isOneOf = (value: unknown, others: readonly unknown[]) =>
  others.some((other) => JSON.stringify(other) === JSON.stringify(value))

/** Of a channel's config: which of its members differ. */
function fieldsOf(name: string, seen: unknown, stored: unknown) {
  if (name !== 'config' || typeof seen !== 'string' || typeof stored !== 'string') return [name]
  const [before, after] = [membersOf(seen), membersOf(stored)]
  const members = [...new Set([...before.keys(), ...after.keys()])]
  return members.filter((member) => !isOneOf(after.get(member), [before.get(member)]))
}

function membersOf(config: string) {
  try {
    return new Map<string, unknown>(Object.entries(JSON.parse(config) ?? {}))
  } catch {
    return new Map<string, unknown>()
  }
}

const SHOWN_MAX = 60

/** With the new value, if it is short. */
function described(name: string, value: unknown, language: Language) {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (text === '' || text.length > SHOWN_MAX || text.includes('\n')) return name
  return language === 'zh' ? `${name}（现在是 ${text}）` : `${name} (now ${text})`
}
