import type { ChatRequest } from '../chat.ts'
import { fieldsOf, isFields, listOf } from '../json.ts'
import type { NestedMember } from '../nested-members.ts'

/**
 * Whether a schema fits OpenAI's strict mode: every object is closed and all members are required. Other vendors' strict
 * modes demand less; such a schema is used non-strictly rather than refused.
 */
export function fitsStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(fitsStrict)
  if (!isFields(schema)) return true
  const { type, properties, required, additionalProperties, items, anyOf, $defs, definitions } = schema
  const names = Object.keys(fieldsOf(properties))
  const isObject = type === 'object' || isFields(properties)
  const closed = additionalProperties === false && names.every((name) => listOf(required).includes(name))
  const inner = [properties, $defs, definitions].flatMap((members) => Object.values(fieldsOf(members)))
  return (!isObject || closed) && [...inner, items, anyOf].every(fitsStrict)
}

/** Strict mode is carried if it applies to every tool that asks for it. */
export const strictCarried = ({ tools = [] }: ChatRequest): NestedMember[] =>
  tools.every(({ strict, parameters }) => strict !== true || fitsStrict(parameters)) ? ['tools.strict'] : []
