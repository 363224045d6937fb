import { expect, test } from 'bun:test'
import type { ImportedRow } from '@tollgate/contract'
import { isSealed, shownRows } from './import-rows.ts'

const row = (number: number, action: ImportedRow['action']): ImportedRow => ({
  row: number,
  name: `c${number}`,
  action,
  ...{ id: 0, fields: [], without_key: false, without_headers: [], reason: null },
})

test('a passphrase is required if the file is encrypted', () => {
  expect(isSealed('{\n  "format": "tollgate-channels",\n  "sealing": {\n "kdf": "scrypt" } }')).toBe(true)
  expect(isSealed('{"format":"tollgate-channels","sealing":null,"channels":[]}')).toBe(false)
  expect(isSealed('type,name\n1,x')).toBe(false)
  expect(isSealed('')).toBe(false)
})

test('refused rows are listed separately, unchanged ones have no line, and beyond a limit the rest is counted', () => {
  const few = [row(1, 'create'), row(2, 'keep'), row(3, 'change'), row(4, 'refuse')]
  expect(shownRows(few)).toEqual({
    refused: [row(4, 'refuse')],
    carried: [row(3, 'change'), row(1, 'create')],
    more: 0,
  })
  const many = Array.from({ length: 130 }, (_, n) => row(n, 'create'))
  expect(shownRows(many)).toMatchObject({ refused: [], more: 30 })
})
