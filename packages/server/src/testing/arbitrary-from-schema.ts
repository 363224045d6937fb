import fc from 'fast-check'
import { z } from 'zod'

/*
 * Values for a schema of the contract, made from its JSON Schema as the documents show it: mostly such as it asks for,
 * mixed with such as nobody should send.
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

/** What a member of this name could mean in the world of the test. */
export type Known = (name: string) => fc.Arbitrary<unknown> | undefined

export const schemaOf = (type: z.ZodType): JsonSchema => z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })

/** Three in four as asked for, one in four not. */
export const valueFor = (schema: JsonSchema, known: Known, name = ''): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: known(name) ?? asked(schema, known) }, { weight: 1, arbitrary: hostile })

/** An object of the schema's members, each as `valueFor`; some left out, sometimes one too many. */
export const membersFor = (schema: JsonSchema, known: Known): fc.Arbitrary<Record<string, unknown>> => {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]): [string, fc.Arbitrary<unknown>] => [
    name,
    valueFor(asSchema(member), known, name),
  ])
  const required = (schema.required ?? []).filter((name) => members.some(([member]) => member === name))
  const whole = fc.record(Object.fromEntries(members), { requiredKeys: required })
  const torn = fc.record(Object.fromEntries(members), { requiredKeys: [] })
  const extra = fc.record({ nonsense: hostile, constructor: hostile }, { requiredKeys: [] })
  return fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 2, arbitrary: torn },
    { weight: 1, arbitrary: fc.tuple(whole, extra).map(([one, other]) => ({ ...one, ...other })) },
  )
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

/** A boolean schema stands for everything or nothing; neither occurs in the contract. */
function asSchema(schema: z.core.JSONSchema._JSONSchema): JsonSchema {
  return typeof schema === 'boolean' ? {} : schema
}
