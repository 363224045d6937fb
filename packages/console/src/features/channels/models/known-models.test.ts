import { expect, test } from 'bun:test'
import { modelsOf, suggestions } from './known-models.ts'

const known = {
  models: { 1: ['gpt-3.5-turbo', 'gpt-4o'], 36: ['deepseek-flash', 'deepseek-v4-pro'], 50: [] },
  unpriced: { 36: ['deepseek-flash'] },
}

test('only models with a price are filled in by default', () => {
  expect(modelsOf(known, 36)).toEqual({ priced: ['deepseek-v4-pro'], unpriced: ['deepseek-flash'] })
  expect(modelsOf(known, 1)).toEqual({ priced: ['gpt-3.5-turbo', 'gpt-4o'], unpriced: [] })
  expect(modelsOf(undefined, 1)).toEqual({ priced: [], unpriced: [] })
})

test('a type suggests its own models, unpriced ones last; those of others are listed separately', () => {
  expect(suggestions(known, 36, [])).toEqual({
    own: ['deepseek-v4-pro', 'deepseek-flash'],
    others: ['gpt-3.5-turbo', 'gpt-4o'],
  })
  expect(suggestions(known, 36, ['deepseek-v4-pro', 'gpt-4o'])).toEqual({
    own: ['deepseek-flash'],
    others: ['gpt-3.5-turbo'],
  })
  expect(suggestions(known, 50, []).own).toEqual([])
})
