import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Books, type BudgetClaim, emptyBooks, HoldState } from './books.ts'
import type { Command } from './commands.ts'
import { apply } from './reducer.ts'

const EPOCH = 'epoch'

/** One user with a large balance, and four budgets: two by the calendar, a rolling one, and a removed one. */
function town(): Books {
  const books = emptyBooks()
  books.living.add(EPOCH)
  books.users.set(1, { id: 1, status: 1, quota: 1e9, held: 0, overrun: 0, used_quota: 0, request_count: 0 })
  books.tokens.set(10, {
    ...{ id: 10, user_id: 1, status: 1, remain_quota: 0, held: 0, used_quota: 0, unlimited_quota: 1 },
    ...{ expired_time: -1, accessed_time: 0, deleted: 0 },
  })
  for (const id of [1, 2, 3]) {
    books.budgets.set(id, {
      id,
      quota: 1000,
      raise_quota: 500,
      raise_until: id === 2 ? 100 : 0,
      from: 0,
      until: 100,
      slots: new Map(),
    })
  }
  return books
}

const claim = (id: number, slot: number): BudgetClaim =>
  id === 3 ? { id, slot, from: slot - 2, until: slot + 1 } : { id, slot, from: slot, until: slot }

const claims = fc
  .uniqueArray(fc.tuple(fc.constantFrom(1, 2, 3, 4), fc.constantFrom(10, 11, 12)), { selector: ([id]) => id })
  .map((pairs) => pairs.map(([id, slot]) => claim(id, slot)))

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const amount = fc.integer({ min: 0, max: 600 })
const now = fc.constantFrom(50, 150)
const HOLD = { type: 'hold', epoch: EPOCH, userId: 1, tokenId: 10, price: '{}' } as const
const END = { done: true, channelId: null, log: undefined, keepLog: false }

const step: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ id, amount, now, budgets: fc.option(claims, { nil: undefined }) }).map((hold) => ({ ...HOLD, ...hold })),
  fc
    .record({ id, to: amount, now, budgets: fc.option(claims, { nil: undefined }) })
    .map((extend): Command => ({ type: 'extend', ...extend })),
  fc.record({ id, used: amount }).map((progress): Command => ({ type: 'progress', ...progress })),
  fc.record({ id, actual: amount, now }).map((settle): Command => ({ type: 'settle', ...settle, ...END })),
  fc.record({ id, now }).map((sweep): Command => ({ type: 'sweep', log: undefined, ...sweep })),
)

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

test('whatever calls do, a budget knows what its calls hold and have spent, in the slot in which each began', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const books = town()
      for (const command of steps) apply(books, command)
      for (const [budget, { slots }] of books.budgets) {
        for (const [slot, { used, held }] of slots) {
          const counted = [...books.holds.values()].filter((hold) =>
            hold.budgets.some((each) => each.id === budget && each.slot === slot),
          )
          const open = counted.filter(({ state }) => state === HoldState.open)
          expect({ held, used }).toEqual({
            held: sum(open.map(({ amount }) => amount)),
            used: sum(counted.map(({ actual }) => actual ?? 0)),
          })
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('holds never exceed a budget, including a raise while it lasts', () => {
  const calls = fc.array(fc.record({ amount, now }), { maxLength: 12 })
  fc.assert(
    fc.property(calls, fc.constantFrom(1, 2, 3), (list, budget) => {
      const books = town()
      for (const [index, { amount, now }] of list.entries()) {
        const result = apply(books, { ...HOLD, id: `${index}`, amount, now, budgets: [claim(budget, 10)] })
        const limit = budget === 2 && now < 100 ? 1500 : 1000
        const held = sum([...(books.budgets.get(budget)?.slots.values() ?? [])].map((slot) => slot.held))
        if (result.ok && amount > 0) expect(held).toBeLessThanOrEqual(limit)
        else if (!result.ok) expect(held + amount).toBeGreaterThan(limit)
      }
    }),
  )
})

test('a rolling budget adds up the slots of its period, and a removed one limits nobody', () => {
  const books = town()
  const hold = (id: string, amount: number, claimed: BudgetClaim) =>
    apply(books, { ...HOLD, id, amount, now: 1, budgets: [claimed] })
  expect(hold('a', 600, claim(3, 10)).ok).toBe(true)
  expect(hold('b', 600, claim(3, 11))).toEqual({ ok: false, refusal: 'budget', budget: 3 })
  expect(hold('b', 400, claim(3, 12)).ok).toBe(true)
  expect(hold('c', 600, claim(3, 13)).ok).toBe(true)
  expect(hold('d', 100_000, claim(4, 10)).ok).toBe(true)
})

test('a charge returns the state of each budget', () => {
  const books = town()
  apply(books, { ...HOLD, id: 'a', amount: 600, now: 1, budgets: [claim(1, 10), claim(4, 10)] })
  expect(apply(books, { type: 'settle', id: 'a', actual: 450, now: 2, ...END })).toMatchObject({
    charged: 450,
    budgets: [{ id: 1, from: 0, to: 450, limit: 1000 }],
  })
})
