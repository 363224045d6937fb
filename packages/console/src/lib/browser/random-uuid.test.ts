import { expect, test } from 'bun:test'
import { randomUuid } from './random-uuid.ts'

test('it is a random UUID of version 4', () => {
  expect(randomUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(randomUuid()).not.toBe(randomUuid())
})
