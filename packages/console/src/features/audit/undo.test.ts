import { expect, test } from 'bun:test'
import type { AuditEvent } from '@tollgate/contract'
import { undoOf } from './undo.ts'

const event = (fields: Partial<AuditEvent>): AuditEvent => ({
  ...{ id: 1, created_at: 1, actor_id: 1, actor_name: 'root', ip: '' },
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
  ]
  for (const one of cases) expect(undoOf(event(one))).toBeUndefined()
})
