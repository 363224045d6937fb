import { type Fields, isFields } from '../json.ts'

/** Converts Google's schema format to JSON Schema: lower-case types, `null` among the types, counts as numbers. */
export function toJsonSchema(schema: unknown): unknown {
  if (!isFields(schema)) return schema
  const { type, nullable, properties, items, anyOf, propertyOrdering: _, ...rest } = schema
  const name = typeof type === 'string' && type !== 'TYPE_UNSPECIFIED' ? type.toLowerCase() : undefined
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, COUNTS.has(key) ? Number(value) : value])),
    ...(name === undefined ? {} : { type: nullable === true ? [name, 'null'] : name }),
    ...(isFields(properties) ? { properties: mapMembers(properties) } : {}),
    ...(items === undefined ? {} : { items: toJsonSchema(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(toJsonSchema) } : {}),
  }
}

/** 64-bit numbers are text in Google's JSON. */
const COUNTS = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'])

const mapMembers = (members: Fields) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, toJsonSchema(member)]))
