import { expect, test } from 'bun:test'
import { type DialectName, dialects } from './dialects.ts'

const messages = [{ role: 'user', content: 'Hi' }]

/** A request with a tool in each dialect; without a schema where the dialect permits it. */
const REQUESTS: Record<DialectName, (schema: object | null | undefined) => object> = {
  'openai/chat': (parameters) => ({
    ...{ model: 'm', messages },
    tools: [{ type: 'function', function: { name: 'f', parameters } }],
  }),
  responses: (parameters) => ({ model: 'm', input: 'Hi', tools: [{ type: 'function', name: 'f', parameters }] }),
  'anthropic/messages': (schema) => ({
    ...{ model: 'm', max_tokens: 9, messages },
    tools: [{ name: 'f', input_schema: schema ?? {} }],
  }),
  'gemini/generate': (schema) => ({
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema ?? undefined }] }],
  }),
}

const CITY = { properties: { city: { type: 'string' } } }
const EITHER = { anyOf: [{ type: 'object', ...CITY }] }

test.each(Object.keys(REQUESTS) as DialectName[])('%s: the arguments of a tool are an object', (name) => {
  const parametersOf = (schema: object | null | undefined) =>
    dialects[name].parse(REQUESTS[name](schema), { model: 'm' }).tools?.[0]?.parameters
  const empty = { type: 'object', properties: {} }
  for (const schema of [undefined, null, {}]) expect(parametersOf(schema)).toEqual(empty)
  expect(parametersOf(CITY)).toEqual({ type: 'object', ...CITY })
  expect(parametersOf(EITHER)).toEqual({ ...empty, ...EITHER })
  expect(parametersOf({ type: 'object' })).toEqual({ type: 'object' })
})
