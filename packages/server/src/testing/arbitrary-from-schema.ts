import fc from 'fast-check'
import { z } from 'zod'

/*
 * Values for a schema of the contract, generated from its JSON Schema: mostly valid, mixed with invalid ones.
 */

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Values that have broken programs before. */
export const HOSTILE: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  'x'.repeat(300),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '%',
  '_\\%',
  "' OR 1=1 --",
  '"; DROP TABLE users; --',
  '__proto__',
  'constructor',
  '🙂'.repeat(40),
  '\u202e\u2028',
  '<script>alert(1)</script>',
  'NaN',
  '[object Object]',
  'undefined|undefined',
  '{"__proto__":1}',
  -1,
  0,
  1.5,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  9_007_199_254_740_992,
  [],
  [[]],
  {},
  { a: { b: [1] } },
]

const hostile = fc.constantFrom(...HOSTILE)

/** Plausible values for a field of this name. */
export type Known = (name: string) => fc.Arbitrary<unknown> | undefined

export const schemaOf = (type: z.ZodType): JsonSchema => z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })

/** Mostly valid. */
export const valueFor = (schema: JsonSchema, known: Known, name = ''): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: known(name) ?? asked(schema, known) }, { weight: 1, arbitrary: hostile })

/** A valid object, or one with a broken, missing or additional field. */
export const membersFor = (schema: JsonSchema, known: Known): fc.Arbitrary<Record<string, unknown>> => {
  const members = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, member]) => [
      name,
      known(name) ?? asked(asSchema(member), known),
    ]),
  )
  const names = Object.keys(members)
  const required = (schema.required ?? []).filter((name) => names.includes(name))
  const whole = fc.record(members, { requiredKeys: required })
  const torn = fc.record(members, { requiredKeys: [] })
  const spoiled = fc
    .tuple(whole, fc.constantFrom(...names, 'nonsense'), hostile)
    .map(([object, name, value]) => ({ ...object, [name]: value }))
  return fc.oneof({ weight: 5, arbitrary: whole }, { weight: 4, arbitrary: spoiled }, { weight: 1, arbitrary: torn })
}

function asked(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined) return fc.oneof(...branches.map((branch) => asked(asSchema(branch), known)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return schema.format === 'email' ? fc.emailAddress() : text(schema.minLength ?? 0, schema.maxLength ?? 40)
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.max(schema.minimum ?? -50, -1e9), max: Math.min(schema.maximum ?? 1e6, 1e9) })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fc.string(), { maxLength: 3 })
    case 'object':
      return membersFor(schema, known)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function text(min: number, max: number) {
  return fc.string({ minLength: Math.min(min, 40), maxLength: Math.min(max, 40), unit: 'grapheme' })
}

/** A boolean schema accepts everything or nothing; neither occurs in the contract. */
function asSchema(schema: z.core.JSONSchema._JSONSchema): JsonSchema {
  return typeof schema === 'boolean' ? {} : schema
}
