import { expect, test } from 'bun:test'
import { ENDPOINTS } from '@tollgate/contract'
import { z } from 'zod'
import { type JsonSchema, schemaOf } from '../testing/arbitrary-from-schema.ts'
import { GatewayError, type Language } from './errors.ts'
import { fieldName, hasFieldName } from './field-names.ts'
import { validated } from './validation.ts'

/** Every field that a caller can fill in: of bodies, queries and paths. Fields without a rule are only echoed. */
const FIELDS = ENDPOINTS.flatMap(({ name, endpoint }) =>
  [endpoint.params, endpoint.query, endpoint.body].flatMap((schema) =>
    schema instanceof z.ZodObject
      ? Object.entries(schema.shape)
          .map(([field, type]) => ({ call: name, path: endpoint.path, field, type: type as z.ZodType }))
          .filter(({ type }) => Object.keys(ruleFree(schemaOf(type))).length > 0)
      : [],
  ),
)

function ruleFree({ $schema: _, ...rules }: JsonSchema) {
  return rules
}

/** For each rule of the schema, one value that violates it. */
function breaking(schema: JsonSchema): unknown[] {
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first !== undefined && typeof first !== 'boolean') return breaking(first)
  if (schema.enum !== undefined) return ['no such choice', 7]
  switch (schema.type) {
    case 'string':
      return [
        7,
        ...(schema.maxLength === undefined ? [] : ['x'.repeat(schema.maxLength + 1)]),
        ...((schema.minLength ?? 0) > 0 ? ['', 'x'.repeat((schema.minLength ?? 1) - 1)] : []),
        ...(schema.format === undefined && schema.pattern === undefined ? [] : ['no such format !']),
        'line\u0007feed',
      ]
    case 'integer':
    case 'number':
      return ['text', 1.5, (schema.minimum ?? 0) - 1, (schema.maximum ?? 0) + 1, Number.NaN, 1e300, {}]
    case 'boolean':
      return ['text', 1]
    case 'array':
      return ['text', Array.from({ length: (schema.maxItems ?? 0) + 1 }, () => 'x'), [7]]
    default:
      return [undefined, 7, {}]
  }
}

const LANGUAGES: Language[] = ['zh', 'en']

/** Messages that only custom validators produce. */
const RAW =
  /invalid|expected|received|too (big|small)|\bzod\b|nan\b|undefined|unrecognized|[<>]=?|期望|接收|无效输入|\{\w+\}/i

/** Of another type than any field has alone. */
const WRONG_TYPES: readonly unknown[] = ['no such value', 7.5, true, [], [[]], {}, { nobody: 1 }, null]

test('a field that was sent is never said to be required: only a missing member of it, by its name', () => {
  const told: string[] = []
  for (const { call, path, field, type } of FIELDS) {
    for (const value of WRONG_TYPES) {
      try {
        validated(z.object({ [field]: type }), { [field]: value }, { language: 'en', path })
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        const said = error.in('en')
        const isOfMember = typeof value === 'object' && value !== null && /\(.+\) is required$/.test(said)
        if (/required/.test(said) && !isOfMember) told.push(`${call} ${field} ${JSON.stringify(value)}: ${said}`)
      }
    }
  }
  expect(told).toEqual([])
})

test('a wrong member of a field is named', () => {
  const settings = z.object({
    recording: z.strictObject({ scope: z.enum(['errors', 'all']), share: z.int().max(100) }),
  })
  const said = (recording: unknown, language: Language) => {
    try {
      return validated(settings, { recording }, { language, path: '/api/token/' })
    } catch (error) {
      return error instanceof GatewayError ? error.in(language) : error
    }
  }
  expect(said({ errors: true }, 'en')).toEndWith(' (scope) is required')
  expect(said({ scope: 'all', share: 500 }, 'en')).toEndWith(' (share) must be at most 100')
  expect(said({ scope: 'all', share: 500 }, 'zh')).toEndWith('（share）不能大于 100')
  expect(said('all', 'en')).not.toContain('required')
})

test('every field of every endpoint has a display name', () => {
  expect(FIELDS.length).toBeGreaterThan(150)
  expect(FIELDS.filter(({ field }) => !hasFieldName(field)).map(({ call, field }) => `${call} ${field}`)).toEqual([])
})

test('whichever rule of whichever field is violated, the error is a sentence about that field in both languages', () => {
  let refusals = 0
  for (const { call, path, field, type } of FIELDS) {
    const alone = z.strictObject({ [field]: type })
    for (const value of [...breaking(schemaOf(type)), undefined]) {
      for (const language of LANGUAGES) {
        const refusal = refusalOf(() => validated(alone, { [field]: value }, { language, path }))
        if (refusal === undefined) continue
        refusals++
        const message = refusal.in(language)
        const context = `${call} ${field} ${String(value).slice(0, 20)}: ${message}`
        expect(context).toContain(call)
        expect([context, refusal.field]).toEqual([context, field])
        const name = fieldName(path, field, language).toLowerCase()
        expect([context, message.toLowerCase().includes(name)]).toEqual([context, true])
        expect([context, RAW.test(message)]).toEqual([context, false])
        expect([context, /\p{Script=Han}/u.test(message)]).toEqual([context, language === 'zh'])
        if (language === 'zh')
          expect([context, /\p{Script=Han}[a-z0-9]|[a-z0-9]\p{Script=Han}/iu.test(message)]).toEqual([context, false])
      }
    }
  }
  expect(refusals).toBeGreaterThan(400)
})

test('an unknown field is reported by its own name', () => {
  const refusal = refusalOf(() => validated(z.strictObject({}), { nonsense: 1 }, { language: 'zh' }))
  expect([refusal?.status, refusal?.field, refusal?.in('zh')]).toEqual([400, 'nonsense', 'nonsense 是未知的字段'])
})

function refusalOf(work: () => unknown) {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}
