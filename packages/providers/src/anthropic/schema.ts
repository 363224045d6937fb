import { type Fields, fieldsOf, isFields, listOf } from '../json.ts'
import { plainParameters } from '../plain-parameters.ts'

/**
 * A JSON schema for Anthropic's structured output: objects are closed, and constraints that its grammar does not support
 * are described to the model in the description instead.
 */
export function strictSchema(schema: unknown): unknown {
  if (!isFields(schema)) return schema
  if (typeof schema.$ref === 'string') return withDefinitions({ $ref: schema.$ref }, schema)
  const {
    oneOf,
    anyOf = oneOf,
    allOf,
    properties,
    items,
    $defs: _,
    definitions: __,
    additionalProperties: ___,
    ...own
  } = schema
  const kept = Object.entries(own).filter(([name, value]) => isKnown(name, value))
  const unsupported = Object.entries(own).filter(([name, value]) => !isKnown(name, value))
  const isObject = schema.type === 'object' || properties !== undefined
  return withDefinitions(
    {
      ...Object.fromEntries(kept),
      ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(strictSchema) } : {}),
      ...(Array.isArray(allOf) ? { allOf: allOf.map(strictSchema) } : {}),
      ...(isObject ? { properties: mapMembers(fieldsOf(properties)), additionalProperties: false } : {}),
      ...(items === undefined ? {} : { items: strictSchema(items) }),
      ...describe(own.description, unsupported),
    },
    schema,
  )
}

const KNOWN = new Set(['type', 'title', 'description', 'enum', 'const', 'required', 'default', 'nullable'])
const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'])

function isKnown(name: string, value: unknown) {
  if (name === 'format') return typeof value === 'string' && FORMATS.has(value)
  if (name === 'minItems') return value === 0 || value === 1
  return KNOWN.has(name)
}

function describe(description: unknown, unsupported: [string, unknown][]) {
  const limits = unsupported.filter(([name]) => !name.startsWith('$') && name !== 'examples')
  if (limits.length === 0) return {}
  const note = `{${limits.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')}}`
  return { description: typeof description === 'string' ? `${description}\n\n${note}` : note }
}

function withDefinitions(own: Fields, { $defs, definitions }: Fields) {
  return {
    ...own,
    ...(isFields($defs) ? { $defs: mapMembers($defs) } : {}),
    ...(isFields(definitions) ? { definitions: mapMembers(definitions) } : {}),
  }
}

const mapMembers = (members: Fields) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, strictSchema(member)]))

/** The schema of a tool's arguments must be an object schema, whatever the caller omitted. */
export const argumentsSchema = (schema: unknown): Fields => {
  const own = plainParameters(fieldsOf(schema))
  return { ...own, type: 'object', properties: fieldsOf(own.properties), ...required(own.required) }
}

const required = (names: unknown) => (listOf(names).length === 0 ? {} : { required: names })
