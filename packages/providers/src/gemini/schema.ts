import { type Fields, fieldsOf, isFields, listOf } from '../json.ts'

/**
 * Converts JSON Schema to Google's format: no references, no closed objects, `null` as a flag, one type each, and only known
 * formats. Google refuses anything else, so the rest is left out.
 */
export const toGoogleSchema = (schema: unknown): Fields => convert(fieldsOf(schema), definitionsOf(schema), [])

type Definitions = ReadonlyMap<string, unknown>

const definitionsOf = (schema: unknown): Definitions => {
  const { $defs, definitions } = fieldsOf(schema)
  return new Map([
    ['#', schema],
    ...Object.entries(fieldsOf(definitions)).map(([name, own]): [string, unknown] => [`#/definitions/${name}`, own]),
    ...Object.entries(fieldsOf($defs)).map(([name, own]): [string, unknown] => [`#/$defs/${name}`, own]),
  ])
}

function convert(schema: Fields, definitions: Definitions, path: readonly string[]): Fields {
  if (typeof schema.$ref === 'string') return resolve(schema, schema.$ref, definitions, path)
  const inner = (own: unknown) => convert(fieldsOf(own), definitions, path)
  const merged = mergeAll(schema)
  const { types, nullable } = typesOf(merged)
  const variants = listOf(merged.anyOf ?? merged.oneOf).filter((own) => fieldsOf(own).type !== 'null')
  const optional = nullable || variants.length < listOf(merged.anyOf ?? merged.oneOf).length
  const kept = Object.fromEntries(Object.entries(merged).filter(([name]) => KEPT.has(name)))
  const [only] = variants
  if (variants.length === 1) return { ...kept, ...inner(only), ...flag(optional) }
  return {
    ...kept,
    ...(types.length === 1 ? { type: types[0] } : {}),
    ...(types.length > 1 ? { anyOf: types.map((type) => ({ type })) } : {}),
    ...(variants.length > 1 ? { anyOf: variants.map(inner) } : {}),
    ...enumOf(merged, types),
    ...formatOf(merged, types),
    ...(isFields(merged.properties)
      ? { properties: Object.fromEntries(Object.entries(merged.properties).map(([name, own]) => [name, inner(own)])) }
      : {}),
    ...(merged.items === undefined
      ? {}
      : { items: inner(Array.isArray(merged.items) ? merged.items[0] : merged.items) }),
    ...flag(optional),
  }
}

const KEPT = new Set([
  'description',
  'title',
  'required',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
])

/** A recursive definition has no end; inside itself it becomes any object. */
function resolve(schema: Fields, ref: string, definitions: Definitions, path: readonly string[]): Fields {
  if (path.includes(ref)) return { type: 'object' }
  const { description } = schema
  const resolved = convert(fieldsOf(definitions.get(ref)), definitions, [...path, ref])
  return typeof description === 'string' ? { ...resolved, description } : resolved
}

/** Merges `allOf` into one schema. */
function mergeAll(schema: Fields): Fields {
  const all = [schema, ...listOf(schema.allOf).map(fieldsOf)]
  if (all.length === 1) return schema
  return {
    ...Object.assign({}, ...all.toReversed()),
    properties: Object.assign({}, ...all.map(({ properties }) => fieldsOf(properties))),
    required: all.flatMap(({ required }) => listOf(required)),
  }
}

function typesOf({ type, nullable }: Fields) {
  const stated = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return { types: stated.filter((one) => one !== 'null'), nullable: nullable === true || stated.includes('null') }
}

const flag = (nullable: boolean) => (nullable ? { nullable: true } : {})

/** Enum values must be text; other constants keep only their type. */
function enumOf({ enum: choices, const: constant }: Fields, types: readonly unknown[]) {
  const values = (Array.isArray(choices) ? choices : constant === undefined ? [] : [constant]).filter(
    (value) => typeof value === 'string',
  )
  if (values.length === 0 || (types.length > 0 && types[0] !== 'string')) return {}
  return { type: 'string', format: 'enum', enum: values }
}

const FORMATS = new Map<string, readonly string[]>([
  ['string', ['date-time', 'enum']],
  ['number', ['float', 'double']],
  ['integer', ['int32', 'int64']],
])

const formatOf = ({ format }: Fields, [type]: readonly unknown[]) =>
  typeof format === 'string' && FORMATS.get(String(type))?.includes(format) ? { format } : {}
