import { expect, test } from 'bun:test'
import type { AuditEvent } from '@tollgate/contract'
import { undoOf } from './undo.ts'

const event = (fields: Partial<AuditEvent>): AuditEvent => ({
  ...{ id: 1, created_at: 1, actor_id: 1, actor_name: 'root', ip: '', target_name: '' },
  ...{ action: 'option.update', target: 'option:SystemName', before: { value: 'Old' }, after: { value: 'New' } },
  ...fields,
})

test('a setting gets its earlier value, unless it has been changed since', () => {
  expect(undoOf(event({}))).toEqual({ of: 'option', key: 'SystemName', value: 'Old', base: 'New' })
  expect(undoOf(event({ before: { value: '' } }))).toMatchObject({ value: '' })
})

test('the plain fields of a channel are restored together', () => {
  const change = { action: 'channel.update', target: 'channel:12' }
  expect(undoOf(event({ ...change, before: { priority: 0, tag: '' }, after: { priority: 5, tag: 'eu' } }))).toEqual({
    ...{ of: 'channel', id: 12 },
    ...{ restore: { priority: 0, tag: '' }, set: { priority: 5, tag: 'eu' } },
  })
})

test('plain fields of users, budgets and alert rules are restored in the form in which the API takes them', () => {
  const undone = (of: string, before: Record<string, unknown>, after: Record<string, unknown>) =>
    undoOf(event({ action: `${of}.update`, target: `${of}:3`, before, after }))
  expect(undone('user', { group: 'default', rate_limits: '' }, { group: 'vip', rate_limits: '{"rpm":5}' })).toEqual({
    ...{ of: 'user', id: 3 },
    restore: { group: 'default', rate_limits: {} },
    set: { group: 'vip', rate_limits: { rpm: 5 } },
  })
  expect(undone('budget', { quota: 5, rolling: false }, { quota: 9, rolling: true })).toEqual({
    ...{ of: 'budget', id: 3, restore: { quota: 5, rolling: false }, set: { quota: 9, rolling: true } },
  })
  expect(undone('alert_rule', { enabled: true, destinations: '[1]' }, { enabled: false, destinations: '[]' })).toEqual({
    ...{ of: 'alert_rule', id: 3 },
    restore: { enabled: true, destinations: [1] },
    set: { enabled: false, destinations: [] },
  })
})

test('secrets, addresses, shortened texts, creations and deletions are not undone', () => {
  const channel = { action: 'channel.update', target: 'channel:12' }
  const cases: Partial<AuditEvent>[] = [
    { before: { value: 'sha256:12345678' }, after: { value: 'sha256:87654321' } },
    { before: { value: '' }, after: { value: 'sha256:87654321' } },
    { before: { value: `${'x'.repeat(2000)}…` } },
    { after: { value: `${'x'.repeat(2000)}…` } },
    { before: null },
    { after: null },
    { ...channel, before: { secret: 'sha256:1' }, after: { secret: 'sha256:2' } },
    { ...channel, before: { priority: 0, base_url: 'a' }, after: { priority: 1, base_url: 'b' } },
    { ...channel, before: { tag: null }, after: { tag: 'eu' } },
    { action: 'user.update', target: 'user:3', before: { quota: 1 }, after: { quota: 2 } },
    { action: 'user.update', target: 'user:3', before: { group: 'a', role: 1 }, after: { group: 'b', role: 10 } },
    { action: 'user.update', target: 'user:3', before: { rate_limits: '{' }, after: { rate_limits: '' } },
    { action: 'user.update', target: 'user:3', before: {}, after: {} },
    { action: 'user.disable', target: 'user:3', before: { status: 1 }, after: { status: 2 } },
    { action: 'budget.update', target: 'budget:3', before: { scope: 'key' }, after: { scope: 'user' } },
    {
      action: 'alert_rule.update',
      target: 'alert_rule:3',
      before: { destinations: 'x' },
      after: { destinations: '[1]' },
    },
  ]
  for (const one of cases) expect(undoOf(event(one))).toBeUndefined()
})
