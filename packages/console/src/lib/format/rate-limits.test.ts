import { expect, test } from 'bun:test'
import { RateLimits } from '@tollgate/contract'
import { isLimited, withLimit, withModel, withoutModel } from './rate-limits.ts'

test('an emptied field is no limit, and leaves nothing behind', () => {
  const limits = withLimit(withLimit({}, 'rpm', 5), 'tpm', 10)
  expect(limits).toEqual({ rpm: 5, tpm: 10 })
  expect(Object.keys(withLimit(limits, 'rpm', ''))).toEqual(['tpm'])
})

test('models are added and removed beside the limits for all, whatever their names', () => {
  const limits = withModel(withModel({ rpm: 5 }, 'constructor', { rpm: 1 }), 'gpt-4o', {})
  expect(limits).toEqual({ rpm: 5, models: { constructor: { rpm: 1 }, 'gpt-4o': {} } })
  expect(RateLimits.safeParse(limits).success).toBe(true)
  expect(withoutModel(withoutModel(limits, 'gpt-4o'), 'constructor')).toEqual({ rpm: 5 })
})

test('a limit for a single model counts as limited, too', () => {
  expect([{}, { rpm: 1 }, { models: {} }, { models: { m: {} } }].map(isLimited)).toEqual([false, true, false, true])
})
