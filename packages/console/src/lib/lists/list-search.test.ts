import { expect, test } from 'bun:test'
import { LogType, RedemptionStatus, Role, UserStatus } from '@tollgate/contract'
import { listSearch, numbers, pageIndex } from './list-search.ts'

test('the second page of the URL is page 1 of the server [R4.26]', () => {
  expect(pageIndex(listSearch.parse({ page: '2' }))).toBe(1)
  expect(pageIndex(listSearch.parse({}))).toBe(0)
})

test.each(['0', '-3', 'two', '1.5'])('page %p is the first page', (page) => {
  expect(pageIndex(listSearch.parse({ page }))).toBe(0)
})

test('a filter by number takes the numbers of the contract from a URL, and no other', () => {
  const { deleted: _, ...listed } = UserStatus
  const { logType, role, userStatus, redemptionStatus } = numbers
  const known = [
    { filter: logType, values: LogType },
    { filter: role, values: Role },
    { filter: userStatus, values: listed },
    { filter: redemptionStatus, values: RedemptionStatus },
  ]
  for (const { filter, values } of known) {
    const taken = Array.from({ length: 200 }, (_, number) => number).filter(
      (number) => filter.parse(`${number}`) === number,
    )
    expect(taken).toEqual(Object.values(values))
    for (const text of ['-1', '200', '1.5', 'x', '1e99']) expect(filter.parse(text)).toBeUndefined()
  }
})
