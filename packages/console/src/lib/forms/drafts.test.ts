import { expect, test } from 'bun:test'
import { restoredValues } from './drafts.ts'

const draft = (values: object, before: object) => ({ values: { ...values }, before: { ...before }, missing: [] })

test('a restored amount is raised by as much as before, whatever was spent in between', () => {
  const { quota } = restoredValues(draft({ quota: 150 }, { quota: 100 }), { quota: 90 }, ['quota'])
  expect(quota).toBe(140)
})

test('a restored amount does not become negative', () => {
  expect(restoredValues(draft({ quota: 10 }, { quota: 100 }), { quota: 50 }, ['quota'])).toEqual({ quota: 0 })
})

test('other fields are restored as they were typed', () => {
  const typed = { name: 'new', models: ['a'], quota: 150 }
  const opened = { name: 'changed elsewhere', models: ['b'], quota: 90 }
  expect(restoredValues(draft(typed, { name: 'old', models: [], quota: 100 }), opened, [])).toEqual(typed)
})
