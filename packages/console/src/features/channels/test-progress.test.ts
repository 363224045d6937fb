import { expect, test } from 'bun:test'
import type { Channel } from '@tollgate/contract'
import { testProgress, watchTests } from './test-progress.ts'

const row = (id: number, more: Partial<Channel> = {}): Channel => ({
  id,
  type: 1,
  name: '',
  key: '',
  key_hint: '',
  base_url: '',
  other: '',
  config: '',
  config_secrets: [],
  models: '',
  group: '',
  model_mapping: '',
  system_prompt: '',
  test_model: '',
  status: 1,
  status_reason: '',
  priority: 0,
  weight: 0,
  created_time: 0,
  test_time: 100,
  response_time: 0,
  balance: 0,
  balance_updated_time: 0,
  used_quota: 0,
  ...more,
})

test('a channel is done when its test time has changed', () => {
  const watch = watchTests('all', [row(1), row(2)])
  expect(testProgress(watch, [row(1), row(2)])).toEqual({ done: 0, all: 2 })
  expect(testProgress(watch, [row(1, { test_time: 101 }), row(2)])).toEqual({ done: 1, all: 2 })
})

test('of a test of the disabled channels only those count, also when one was enabled by it', () => {
  const watch = watchTests('disabled', [row(1), row(2, { status: 3 })])
  expect(testProgress(watch, [row(1), row(2, { status: 1, test_time: 101 })])).toEqual({ done: 1, all: 1 })
})
