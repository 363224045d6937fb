import { z } from 'zod'
import { channelType } from './channel-types.ts'

/** One change to the JSON body of a channel's requests. `default` sets a value only when it is absent; `value` is JSON text. */
export const BodyRule = z.object({
  path: z.string().trim(),
  action: z.enum(['set', 'default', 'remove']),
  value: z.string().optional(),
})

export type BodyRule = z.infer<typeof BodyRule>

/** Header and body rules together. */
export const RULES_MAX = 50
export const RULE_VALUE_MAX = 4000
const PATH_PARTS_MAX = 10
const PATH_MAX = 256

/** Pricing and the form of the answer depend on these, so rules may not change them. */
const CLOSED_MEMBERS = new Set(['model', 'stream'])
const CLOSED_AS_WHOLE = new Set(['messages', 'input', 'contents'])

/** The first invalid rule: a code of the server's error catalogue, and the path it concerns. */
export function bodyRuleFault(type: number, rules: readonly BodyRule[]) {
  if (rules.length > 0 && hasFixedBody(type)) return { code: 'channel.fixed_body', name: '' } as const
  for (const { path, action, value } of rules) {
    const name = path.slice(0, 64)
    if (!isPath(path)) return { code: 'channel.bad_body_path', name } as const
    if (isClosed(path)) return { code: 'channel.closed_body_path', name } as const
    if (action !== 'remove' && !isJson(value)) return { code: 'channel.bad_body_value', name } as const
  }
  return undefined
}

/** The body is signed with the request, or forwarded without being parsed. */
export const hasFixedBody = (type: number) =>
  channelType(type)?.signsBody === true || channelType(type)?.hasModels === false

/** The body after applying the rules in order. Text that is not a JSON object is returned unchanged. */
export function applyBodyRules(text: string, rules: readonly BodyRule[]): string {
  const body = parsed(text)
  if (!isContainer(body) || Array.isArray(body)) return text
  for (const rule of rules) apply(body, rule)
  return JSON.stringify(body)
}

type Container = Record<string, unknown> | unknown[]

/** A path through a scalar or past the end of a list matches nothing, and nothing is changed. */
function apply(body: Container, { path, action, value = 'null' }: BodyRule) {
  const parts = path.split('.')
  const last = parts.pop() ?? ''
  let at = body
  for (const [index, part] of parts.entries()) {
    if (read(at, part) === undefined && action !== 'remove') {
      write(at, part, (parts[index + 1] ?? last) === '0' ? [] : {})
    }
    const next = read(at, part)
    if (!isContainer(next)) return
    at = next
  }
  if (action === 'remove') return remove(at, last)
  if (action === 'set' || read(at, last) === undefined) write(at, last, JSON.parse(value))
}

const read = (at: Container, part: string): unknown => (Object.hasOwn(at, part) ? Reflect.get(at, part) : undefined)

function write(at: Container, part: string, value: unknown) {
  if (Array.isArray(at) && !(INDEX.test(part) && Number(part) <= at.length)) return
  Reflect.set(at, part, value)
}

function remove(at: Container, part: string) {
  if (!Array.isArray(at)) Reflect.deleteProperty(at, part)
  else if (INDEX.test(part)) at.splice(Number(part), 1)
}

const INDEX = /^(0|[1-9]\d{0,5})$/

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

function isPath(path: string) {
  const parts = path.split('.')
  if (path.length > PATH_MAX || parts.length > PATH_PARTS_MAX) return false
  // Assigning to `__proto__` changes an object's prototype instead of its contents.
  return parts.every((part) => part !== '' && part !== '__proto__' && !/[\s\p{Cc}]/u.test(part))
}

/** Vendors use both upper and lower case. */
function isClosed(path: string) {
  const [first = '', ...rest] = path.toLowerCase().split('.')
  return CLOSED_MEMBERS.has(first) || (CLOSED_AS_WHOLE.has(first) && rest.length === 0)
}

const isJson = (text: string | undefined) =>
  text !== undefined && text.length <= RULE_VALUE_MAX && parsed(text) !== undefined

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
