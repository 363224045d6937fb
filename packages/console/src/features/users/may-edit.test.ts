import { expect, test } from 'bun:test'
import { Role } from '@tollgate/contract'
import { mayEdit, rankActions } from './may-edit.ts'

const root = { id: 1, role: Role.root }
const admin = { id: 2, role: Role.admin }
const user = { id: 3, role: Role.user }

test('an administrator edits ordinary users only, the super administrator everybody', () => {
  expect([root, admin, user].map((target) => mayEdit(root, target))).toEqual([true, true, true])
  expect([root, { ...admin, id: 9 }, user].map((target) => mayEdit(admin, target))).toEqual([false, false, true])
  expect(mayEdit(undefined, user)).toBe(false)
})

test('a role can be changed only by those the server allows, and only to another', () => {
  const root = { id: 1, role: 100 }
  const admin = { id: 2, role: 10 }
  const user = { id: 3, role: 1 }
  expect(rankActions(root, user)).toEqual({ promote: true, demote: false, works: true })
  expect(rankActions(root, admin)).toEqual({ promote: false, demote: true, works: true })
  expect(rankActions(admin, user)).toEqual({ promote: false, demote: false, works: true })
  expect(rankActions(admin, { id: 4, role: 10 })).toEqual({ promote: false, demote: false, works: false })
  for (const actor of [root, admin, undefined]) expect(rankActions(actor, root).works).toBe(false)
})
