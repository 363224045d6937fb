import { type Fields, fieldsOf, isFields, listOf } from './json.ts'

/**
 * Claude, Gemini and OpenAI's models refuse alternatives at the root of a tool's arguments, and the whole call with them; servers of
 * tools send such schemas. They become one object with the members of all, and words that name the alternatives.
 */
export const plainParameters = (schema: Fields): Fields => {
  if (!isUnion(schema)) return schema
  const definitions = { ...fieldsOf(schema.definitions), ...fieldsOf(schema.$defs) }
  return plain(schema, { definitions, known: new Map() })
}

interface References {
  definitions: Fields
  /** Each is followed once, and not into itself: it may be referred to very often. */
  known: Map<string, Fields>
}

function plain(schema: Fields, references: References): Fields {
  if (!isUnion(schema)) return schema
  const { $ref, anyOf, oneOf, allOf, not: _, enum: __, ...own } = schema
  const inner = (one: unknown) => plain(fieldsOf(one), references)
  const alternatives = [anyOf, oneOf].map((list) => listOf(list).map(inner)).filter((list) => list.length > 0)
  const together = [own, target($ref, references), ...listOf(allOf).map(inner)]
  const required = [...together.flatMap(requiredOf), ...alternatives.flatMap(inEvery)]
  const { description } = own
  const words = [...(typeof description === 'string' ? [description] : []), ...alternatives.map(inWords)].filter(
    Boolean,
  )
  return {
    ...own,
    type: 'object',
    properties: merged([...together, ...alternatives.flat()]),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    ...(words.length === 0 ? {} : { description: words.join('\n\n') }),
  }
}

const ROOT = ['$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'enum']
const isUnion = (schema: Fields) => ROOT.some((name) => name in schema)

/** What a reference means; nothing without one. */
function target(ref: unknown, references: References): Fields {
  const { definitions, known } = references
  const [, name = ''] = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(String(ref)) ?? []
  const before = known.get(name)
  if (before !== undefined) return before
  known.set(name, {})
  const found = plain(fieldsOf(definitions[name]), references)
  known.set(name, found)
  return found
}

const requiredOf = ({ required }: Fields) => listOf(required).filter((name) => typeof name === 'string')

const inEvery = ([first = {}, ...others]: Fields[]) =>
  requiredOf(first).filter((name) => others.every((other) => requiredOf(other).includes(name)))

/** A member that differs is one of its forms. */
function merged(schemas: readonly Fields[]): Fields {
  const forms = new Map<string, Map<string, unknown>>()
  for (const [name, form] of schemas.flatMap(({ properties }) => Object.entries(fieldsOf(properties)))) {
    forms.set(name, (forms.get(name) ?? new Map()).set(JSON.stringify(form), form))
  }
  return Object.fromEntries(
    [...forms].map(([name, distinct]) => {
      const [only, ...others] = distinct.values()
      return [name, others.length === 0 ? only : { anyOf: [only, ...others].filter(isFields) }]
    }),
  )
}

const inWords = (alternatives: readonly Fields[]) => {
  const sets = alternatives.map((one) => requiredOf(one).join(', ')).filter((set) => set !== '')
  return sets.length === 0 ? '' : `Takes one of these sets of members: ${sets.join('; ')}.`
}
