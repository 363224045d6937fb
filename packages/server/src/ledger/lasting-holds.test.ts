import { expect, test } from 'bun:test'
import { callLog } from '../testing/ledger-fixture.ts'
import { emptyBooks, HoldState, LASTING } from './books.ts'
import type { SettleCommand } from './commands.ts'
import { apply } from './reducer.ts'
import { journalLine, journalLines } from './stores/journal-lines.ts'

/** A ledger without live processes, with a hold that needs none. */
function booksWithHold() {
  const books = emptyBooks()
  books.users.set(1, { id: 1, status: 1, quota: 1000, held: 0, overrun: 0, used_quota: 0, request_count: 0 })
  books.tokens.set(2, {
    ...{ id: 2, user_id: 1, status: 1, remain_quota: 0, held: 0, used_quota: 0, unlimited_quota: 1 },
    ...{ expired_time: -1, accessed_time: 0, deleted: 0 },
  })
  const hold = { type: 'hold', id: 'batch', userId: 1, tokenId: 2, amount: 400, price: '{}', now: 1 } as const
  expect(apply(books, { ...hold, id: 'call', epoch: 'dead' })).toEqual({ ok: false, refusal: 'epoch' })
  expect(apply(books, { ...hold, epoch: LASTING })).toMatchObject({ ok: true, fresh: true })
  return books
}

const SETTLE: SettleCommand = {
  ...{ type: 'settle', id: 'batch', actual: 300, done: true, channelId: 7, keepLog: true, now: 90_000 },
  log: callLog({ model_name: 'one', quota: 100 }),
  moreLogs: [callLog({ model_name: 'two', quota: 150 }), callLog({ model_name: 'three', quota: 50 })],
}

test('one charge for several models is one request, with a row for each of them that adds up to it', () => {
  const books = booksWithHold()
  expect(apply(books, SETTLE)).toMatchObject({ ok: true, charged: 300 })
  expect(apply(books, SETTLE)).toMatchObject({ ok: true, charged: 300, balance: undefined })
  expect(books.entries).toMatchObject([{ ref: 'batch', delta: -300, balance: 700 }])
  expect(books.users.get(1)).toMatchObject({ quota: 700, held: 0, used_quota: 300, request_count: 1 })
  expect(books.logs.map(({ model_name, quota }) => [model_name, quota])).toEqual([
    ['one', 100],
    ['two', 150],
    ['three', 50],
  ])
  expect(books.counted.map(({ as }) => as)).toEqual(['answered', 'rest', 'rest'])
})

test('a node of an older version that releases the hold of a batch is corrected by its settlement, once', () => {
  const books = booksWithHold()
  apply(books, { type: 'sweep', id: 'batch', log: undefined, now: 2 })
  expect(books.users.get(1)).toMatchObject({ quota: 1000, held: 0 })
  for (let times = 0; times < 2; times++) apply(books, SETTLE)
  expect(books.users.get(1)).toMatchObject({ quota: 700, held: 0, request_count: 1 })
  expect(books.holds.get('batch')).toMatchObject({ state: HoldState.corrected, actual: 300 })
  expect(books.logs.reduce((sum, { quota }) => sum + quota, 0)).toBe(300)
})

test('a journal keeps all rows of a settlement', () => {
  const { commands, unreadable } = journalLines(journalLine(SETTLE))
  expect([commands, unreadable]).toEqual([[SETTLE], 0])
})
