import { expect, test } from 'bun:test'
import { createResponseAttributes } from './response-attributes.ts'

const seen = (text: string) => {
  const attributes = createResponseAttributes()
  attributes.see(Buffer.from(text))
  return attributes.model()
}

test('the model is found before the content, or after it where Google names it last', () => {
  expect(seen('{"model":"gpt-4o","choices":[]}')).toBe('gpt-4o')
  expect(seen('{"candidates":[{"text":"\\"modelVersion\\":\\"no\\""}],"modelVersion":"gemini-3"}')).toBe('gemini-3')
  expect(seen('{"x":{"modelVersion":"no"},"candidates":[],"modelVersion":"gemini-3"}')).toBe('gemini-3')
  expect(seen('{"data":[],"model":"text-embedding-3-small"}')).toBeUndefined()
})

test('a long answer without either takes no longer than its length', () => {
  const startedAt = performance.now()
  for (const part of ['0.0123,', ' ', '"modelVersion" ', '"model":', '\\'])
    expect(seen(`{"data":[${part.repeat(130_000 / part.length)}`)).toBeUndefined()
  // The square of the length would be a minute.
  expect(performance.now() - startedAt).toBeLessThan(2000)
})
