import { expect, test } from 'bun:test'
import { Role } from '@tollgate/contract'
import { mayEdit } from './may-edit.ts'

const root = { id: 1, role: Role.root }
const admin = { id: 2, role: Role.admin }
const user = { id: 3, role: Role.user }

test('an administrator edits ordinary users only, the super administrator everybody', () => {
  expect([root, admin, user].map((target) => mayEdit(root, target))).toEqual([true, true, true])
  expect([root, { ...admin, id: 9 }, user].map((target) => mayEdit(admin, target))).toEqual([false, false, true])
  expect(mayEdit(undefined, user)).toBe(false)
})
