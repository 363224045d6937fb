import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Books, type Entry, emptyBooks, HoldState } from './books.ts'
import type { Command, Result, SettleCommand } from './commands.ts'
import { apply, CHARGE_MAX } from './reducer.ts'
import { runBatch } from './stores/run-batch.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const RUNS = Number(process.env.FUZZ_RUNS ?? 1000)
const EPOCH = 'epoch'

/* The books of two users with two keys each, one of them limited. */

interface OutsideChange {
  type: 'post' | 'limit' | 'unlimited' | 'token-status' | 'user-status'
  who: number
  value: number
}

type Step = Command | OutsideChange

function twoUsers(): Books & { postings: number[][] } {
  const books = emptyBooks()
  books.living.add(EPOCH)
  for (const id of [1, 2]) {
    books.users.set(id, { id, status: 1, quota: 0, held: 0, overrun: 0, used_quota: 0, request_count: 0 })
    for (const unlimited_quota of [0, 1]) {
      const token = id * 10 + unlimited_quota
      books.tokens.set(token, {
        ...{ id: token, user_id: id, status: 1, remain_quota: 600, held: 0, used_quota: 0, unlimited_quota },
        ...{ expired_time: -1, accessed_time: 0, deleted: 0 },
      })
    }
  }
  const whole = { ...books, postings: [[], [], []] }
  for (const who of [1, 2]) outside(whole, { type: 'post', who, value: 1000 })
  return whole
}

type TestBooks = ReturnType<typeof twoUsers>

/** What administrators and owners do meanwhile; the calls' reducer has to bear all of it. */
function outside(books: TestBooks, { type, who, value }: OutsideChange) {
  const user = books.users.get(who)
  const token = books.tokens.get(who * 10)
  if (user === undefined || token === undefined) throw new Error(`There is no user ${who}`)
  if (type === 'post') {
    user.quota += value
    books.postings[who]?.push(value)
  }
  if (type === 'limit') token.remain_quota = value
  if (type === 'unlimited') token.unlimited_quota = value % 2
  if (type === 'token-status') token.status = (value % 4) + 1
  if (type === 'user-status') user.status = (value % 3) + 1
}

const isOutside = (step: Step): step is OutsideChange => 'who' in step

/** Few holds, so that commands meet: duplicates, replays and late settlements come by themselves. */
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, CHARGE_MAX, CHARGE_MAX + 1, Number.MAX_SAFE_INTEGER) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53) },
)
const who = fc.constantFrom(1, 2)

const hold = fc
  .record({ id, who, unlimited: fc.constantFrom(0, 1), amount })
  .map(({ id, who, unlimited, amount }): Command => {
    return { type: 'hold', id, epoch: EPOCH, userId: who, tokenId: who * 10 + unlimited, amount, price: '{}', now: 1 }
  })
const strangersHold = fc
  .record({ id, amount })
  .map(({ id, amount }): Command => ({ ...HOLD, id, amount, userId: 1, tokenId: 20 }))
const HOLD = { type: 'hold', epoch: EPOCH, price: '{}', now: 1 } as const
const extend = fc.record({ id, to: amount }).map((fields): Command => ({ type: 'extend', now: 1, ...fields }))
const progress = fc.record({ id, used: amount }).map((fields): Command => ({ type: 'progress', ...fields }))
const settle = fc.record({ id, actual: amount, done: fc.boolean(), channelId: fc.constantFrom(null, 7, 8) }).map(
  (fields): Command => ({
    ...{ type: 'settle', ...fields, log: undefined, keepLog: true, now: 2 },
    ...(fields.channelId === null ? {} : { channelKeyId: keyOf(fields.channelId) }),
  }),
)
/** Calls of slices: a slice changes, a call gets a row of its own, or is settled without one. */
const sliceId = fc.constantFrom('slice:1', 'slice:2')
const payerIn = (slice: string) => (slice === 'slice:1' ? { userId: 1, tokenId: 10 } : { userId: 2, tokenId: 21 })
const small = fc.integer({ min: 0, max: 100 })
const resize = fc
  .record({ id: sliceId, keep: small, want: small })
  .map((fields): Command => ({ type: 'slice', epoch: EPOCH, ...payerIn(fields.id), now: 1, ...fields }))
const move = fc
  .record({ id, slice: sliceId, amount: fc.integer({ min: 0, max: 900 }) })
  .map((fields): Command => ({ ...HOLD, ...payerIn(fields.slice), ...fields }))
const settleInSlice = fc
  .record({ id, slice: sliceId, actual: small, done: fc.boolean(), inSlice: fc.constantFrom('once', 'again') })
  .map(({ slice, ...fields }): Command => {
    const end = { type: 'settle', channelId: null, log: undefined, keepLog: true, now: 2 } as const
    return { ...end, ...fields, payer: payerIn(slice) }
  })
/** The only key of a channel's pool. */
const keyOf = (channel: number) => channel * 10
const sweepOf = (id: string): Command => ({ type: 'sweep', id, log: undefined, now: 3 })
const sweep = id.map(sweepOf)
const changes = fc
  .record({
    type: fc.constantFrom('post', 'limit', 'unlimited', 'token-status', 'user-status'),
    who,
    value: fc.integer({ min: 0, max: 500 }),
  })
  .map((fields): OutsideChange => fields)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: hold },
  { weight: 1, arbitrary: strangersHold },
  { weight: 3, arbitrary: extend },
  { weight: 3, arbitrary: progress },
  { weight: 6, arbitrary: settle },
  { weight: 2, arbitrary: fc.oneof(sweep, sliceId.map(sweepOf)) },
  { weight: 2, arbitrary: changes },
  { weight: 3, arbitrary: resize },
  { weight: 1, arbitrary: move },
  { weight: 2, arbitrary: settleInSlice },
)

/** Everything that must be true of the books at any moment, in the numbers of money.md §3.9. */
function expectInvariants(books: TestBooks) {
  const broken: string[] = []
  const check = (invariant: string, found: number | null, expected: number | null) => {
    if (found !== expected) broken.push(`${invariant}: found ${found}, expected ${expected}`)
  }
  const holds = [...books.holds.values()]
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  const chargedFor = (what: (entry: Entry) => boolean) => 0 - sum(books.entries.filter(what).map(({ delta }) => delta))
  const open = holds.filter(({ state }) => state === HoldState.open)
  for (const user of books.users.values()) {
    const used = chargedFor(({ user_id }) => user_id === user.id)
    const held = open.filter(({ user_id }) => user_id === user.id).map(({ amount }) => amount)
    const calls = books.entries.filter(({ user_id, kind }) => user_id === user.id && kind === 'consume').length
    check('I1', user.held, sum(held))
    check('I3', user.quota, sum(books.postings[user.id] ?? []) - used)
    check('I5', user.used_quota, used)
    check('I5 calls', user.request_count, calls)
    check('I12', Math.min(0, user.quota - user.held + user.overrun), 0)
    if (!Number.isSafeInteger(user.quota) || !Number.isSafeInteger(user.held)) broken.push(`I11: ${user.quota}`)
  }
  for (const token of books.tokens.values()) {
    const held = open.filter(({ token_id, limited }) => token_id === token.id && limited === 1)
    check('I2', token.held, sum(held.map(({ amount }) => amount)))
    check(
      'I6',
      token.used_quota,
      chargedFor(({ token_id }) => token_id === token.id),
    )
  }
  for (const [channel, used] of books.channelUsed) {
    check(
      'I7',
      used,
      chargedFor(({ channel_id }) => channel_id === channel),
    )
    check('I15', books.channelKeyUsed.get(keyOf(channel))?.used ?? 0, used)
  }
  for (const row of holds) {
    const kinds = books.entries.filter(({ ref }) => ref === row.id).map(({ kind }) => kind)
    const charged = chargedFor(({ ref }) => ref === row.id)
    check('I8', charged, row.state === HoldState.open ? 0 : row.actual)
    check('UNIQUE(kind, ref)', new Set(kinds).size, kinds.length)
  }
  expect(broken).toEqual([])
}

/** A hold guarantees that its owner could pay for it at that moment. */
function expectCovered(books: TestBooks, command: Command, result: Result | Error) {
  const grew = (command.type === 'hold' || command.type === 'extend') && !(result instanceof Error)
  // It was accepted when the slice was borrowed.
  if (command.type === 'hold' && command.slice !== undefined) return
  if (!grew || !result.ok || result.type !== 'held' || !result.fresh) return
  const row = books.holds.get(command.id)
  if (row?.amount === 0) return // a free call needs no balance
  const user = books.users.get(row?.user_id ?? 0)
  const token = books.tokens.get(row?.token_id ?? 0)
  expect((user?.quota ?? 0) - (user?.held ?? 0)).toBeGreaterThanOrEqual(0)
  if (row?.limited === 1 && token?.unlimited_quota === 0) {
    expect(token.remain_quota - token.held).toBeGreaterThanOrEqual(0)
  }
}

/** The ledger as a text; cheap, because it is made before every command. */
const snapshot = ({ users, tokens, holds, entries, channelUsed, channelKeyUsed }: TestBooks) =>
  JSON.stringify([
    ...[[...users.values()], [...tokens.values()], [...holds.values()], entries],
    ...[[...channelUsed], [...channelKeyUsed]],
  ])

test(`whatever commands come in whatever order, the ledger adds up after each, and a refusal changes nothing (seed ${SEED})`, () => {
  const ends = new Map<number, number>()
  const property = fc.property(fc.array(step, { minLength: 60, maxLength: 60 }), (steps) => {
    const books = twoUsers()
    for (const step of steps) {
      if (isOutside(step)) {
        outside(books, step)
        continue
      }
      const before = snapshot(books)
      const [result = new Error('nothing')] = runBatch(books, [step])
      if (result instanceof Error || !result.ok) expect(snapshot(books)).toBe(before)
      expectCovered(books, step, result)
      expectInvariants(books)
    }
    for (const { state } of books.holds.values()) ends.set(state, (ends.get(state) ?? 0) + 1)
  })
  fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true })
  // A property that is never exercised would hold too.
  for (const state of Object.values(HoldState)) expect(ends.get(state)).toBeGreaterThan(RUNS / 50)
}, 120_000)

test(`a command that is run again, as after a lost acknowledgement, changes nothing more (seed ${SEED})`, () => {
  const batches = fc.array(fc.oneof(hold, settle, sweep, progress, extend), { minLength: 60, maxLength: 60 })
  const property = fc.property(batches, (commands) => {
    const books = twoUsers()
    for (const command of commands) {
      const [first] = runBatch(books, [command])
      const before = snapshot(books)
      const [second] = runBatch(books, [command])
      expect(snapshot(books)).toBe(before)
      const accepted = first !== undefined && !(first instanceof Error) && first.ok
      if (accepted) expect(second).toMatchObject({ ok: true })
    }
  })
  fc.assert(property, { seed: SEED, numRuns: RUNS / 2, endOnFailure: true })
}, 60_000)

test(`a hold is charged by its first settlement, a swept one by its progress, a corrected one by its late settlement (seed ${SEED})`, () => {
  const commands = fc.array(fc.oneof(hold, settle, sweep, progress, extend), { minLength: 60, maxLength: 60 })
  const property = fc.property(commands, (commands) => {
    const books = twoUsers()
    const model = new Map<string, { state: number; charged: number | null }>()
    for (const command of commands) {
      const before = books.holds.get(command.id)
      const progressed = Math.min(before?.progress ?? 0, before?.amount ?? 0)
      const [result = new Error('nothing')] = runBatch(books, [command])
      const known = model.get(command.id)
      if (result instanceof Error || !result.ok) continue
      if (command.type === 'hold' && known === undefined) model.set(command.id, { state: 0, charged: null })
      if (command.type === 'sweep' && known?.state === 0) model.set(command.id, { state: 3, charged: progressed })
      if (command.type === 'settle' && known?.state === 0) model.set(command.id, { state: 1, charged: command.actual })
      if (command.type === 'settle' && known?.state === 3) model.set(command.id, { state: 4, charged: command.actual })
    }
    const found = [...books.holds.values()].map(({ id, state, actual }) => [id, { state, charged: actual }] as const)
    expect(new Map(found)).toEqual(model)
  })
  fc.assert(property, { seed: SEED, numRuns: RUNS / 2, endOnFailure: true })
}, 60_000)

/* A process that dies: some of its commands are durable, some never happened, and it returns under a new epoch. */

test(`processes that die at any moment leave nothing open, charge nothing twice, and lose no acknowledged charge (seed ${SEED})`, () => {
  const life = fc.record({
    calls: fc.array(
      fc.record({ who, amount: fc.integer({ min: 0, max: 40 }), actual: fc.integer({ min: 0, max: 60 }) }),
      { minLength: 1, maxLength: 12 },
    ),
    /** After this many commands the process is dead; it never learned whether the last one was durable. */
    diesAfter: fc.nat({ max: 40 }),
    lastWasDurable: fc.boolean(),
    /** Taken for dead while alive: it settles after it was swept. */
    presumed: fc.boolean(),
  })
  const property = fc.property(fc.array(life, { minLength: 10, maxLength: 20 }), (lives) => {
    const books = twoUsers()
    outside(books, { type: 'post', who: 1, value: 1_000_000 })
    outside(books, { type: 'post', who: 2, value: 1_000_000 })
    const acknowledged = new Map<string, number>()
    for (const [turn, { calls, diesAfter, lastWasDurable, presumed }] of lives.entries()) {
      const epoch = `epoch-${turn}`
      books.living.add(epoch)
      const plan = calls.flatMap(({ who, amount, actual }, index): Command[] => {
        const call = `${epoch}-${index}`
        return [
          { type: 'hold', id: call, epoch, userId: who, tokenId: who * 10 + 1, amount, price: '{}', now: turn },
          { type: 'progress', id: call, used: Math.floor(actual / 2) },
          {
            ...{ type: 'settle', id: call, actual, done: true, channelId: 7, channelKeyId: keyOf(7) },
            ...{ log: undefined, keepLog: true, now: turn },
          },
        ]
      })
      const lived = plan.slice(0, diesAfter)
      for (const [index, command] of lived.entries()) {
        const died = index === lived.length - 1
        if (died && !lastWasDurable) break
        const result = apply(books, command)
        if (!died && command.type === 'settle' && result.ok) acknowledged.set(command.id, command.actual)
      }
      const open = [...books.holds.values()].filter((row) => row.epoch === epoch && row.state === HoldState.open)
      for (const { id } of open) apply(books, { type: 'sweep', id, log: undefined, now: turn })
      if (presumed) for (const command of plan) if (command.type === 'settle') apply(books, command)
      expect([...books.holds.values()].filter(({ state }) => state === HoldState.open)).toEqual([])
      expectInvariants(books)
    }
    for (const [id, actual] of acknowledged) expect(books.holds.get(id)?.actual).toBe(actual)
  })
  fc.assert(property, { seed: SEED, numRuns: RUNS / 5, endOnFailure: true })
}, 60_000)

test('a hold of another user, of a disabled user and of a key that is disabled, exhausted or gone is refused', () => {
  const books = twoUsers()
  const command = (tokenId: number): Command => ({ ...HOLD, id: `h${tokenId}`, userId: 1, tokenId, amount: 1 })
  expect(apply(books, command(20))).toEqual({ ok: false, refusal: 'disabled' })
  expect(apply(books, command(99))).toEqual({ ok: false, refusal: 'disabled' })
  for (const status of [2, 3, 4]) {
    outside(books, { type: 'token-status', who: 1, value: status - 1 })
    expect(apply(books, command(10))).toEqual({ ok: false, refusal: 'disabled' })
  }
  const token = books.tokens.get(11)
  if (token !== undefined) token.deleted = 1
  expect(apply(books, command(11))).toEqual({ ok: false, refusal: 'disabled' })
  outside(books, { type: 'user-status', who: 2, value: 1 })
  expect(apply(books, { ...HOLD, id: 'h', userId: 2, tokenId: 21, amount: 1 })).toEqual({
    ok: false,
    refusal: 'disabled',
  })
  expect(books.holds.size).toBe(0)
})

test('a process that was declared dead makes no more holds', () => {
  const books = twoUsers()
  books.living.clear()
  expect(apply(books, { ...HOLD, id: 'a', userId: 1, tokenId: 11, amount: 1 })).toEqual({ ok: false, refusal: 'epoch' })
  expect(books.holds.size).toBe(0)
})

test('a free call is held with any balance, a paid one is not', () => {
  const books = twoUsers()
  outside(books, { type: 'post', who: 1, value: -1001 })
  expect(apply(books, { ...HOLD, id: 'a', userId: 1, tokenId: 11, amount: 0 }).ok).toBe(true)
  expect(apply(books, { ...HOLD, id: 'b', userId: 1, tokenId: 11, amount: 1 })).toEqual({ ok: false, refusal: 'user' })
})

test('what one call holds is not available to another, and is again when it is released', () => {
  const books = twoUsers()
  const of = (id: string, amount: number): Command => ({ ...HOLD, id, userId: 1, tokenId: 11, amount })
  expect(apply(books, of('a', 700)).ok).toBe(true)
  expect(apply(books, of('b', 301))).toEqual({ ok: false, refusal: 'user' })
  expect(apply(books, { type: 'extend', id: 'a', to: 1001, now: 1 })).toEqual({ ok: false, refusal: 'user' })
  expect(apply(books, { type: 'extend', id: 'a', to: 1000, now: 1 }).ok).toBe(true)
  apply(books, settled('a', 100))
  expect(apply(books, of('b', 900)).ok).toBe(true)
  expect(apply(books, of('c', 1))).toEqual({ ok: false, refusal: 'user' })
})

test('a key is exhausted by what was spent, not by what other calls hold and may release', () => {
  const books = twoUsers()
  const of = (id: string, amount: number): Command => ({ ...HOLD, id, userId: 1, tokenId: 10, amount })
  apply(books, of('a', 300))
  apply(books, of('b', 300))
  expect(apply(books, of('c', 1))).toEqual({ ok: false, refusal: 'token' })
  apply(books, settled('a', 300))
  expect(books.tokens.get(10)?.status).toBe(1)
  apply(books, settled('b', 10))
  expect(books.tokens.get(10)).toMatchObject({ status: 1, remain_quota: 290, held: 0 })
  apply(books, of('c', 290))
  apply(books, settled('c', 291))
  expect(books.tokens.get(10)).toMatchObject({ status: 4, remain_quota: -1, held: 0 })
})

test('a key that became unlimited during its last call is not exhausted by it', () => {
  const books = twoUsers()
  apply(books, { ...HOLD, id: 'a', userId: 1, tokenId: 10, amount: 300 })
  const token = books.tokens.get(10)
  if (token !== undefined) token.unlimited_quota = 1
  apply(books, settled('a', 300))
  expect(books.tokens.get(10)?.status).toBe(1)
})

test('a hold made while a key was limited is released to it, whatever the key is now', () => {
  const books = twoUsers()
  apply(books, { ...HOLD, id: 'a', userId: 1, tokenId: 10, amount: 100 })
  outside(books, { type: 'unlimited', who: 1, value: 1 })
  apply(books, settled('a', 60))
  expect(books.tokens.get(10)).toMatchObject({ held: 0, remain_quota: 540, used_quota: 60 })
})

test('a call that failed costs nothing, counts as no request and leaves no entry', () => {
  const books = twoUsers()
  apply(books, { ...HOLD, id: 'a', userId: 1, tokenId: 10, amount: 100 })
  apply(books, { ...settled('a', 0), done: false })
  expect(books.users.get(1)).toMatchObject({ quota: 1000, held: 0, request_count: 0 })
  expect(books.entries).toEqual([])
})

test('a charge above the hold is taken in full, and the next hold is refused [R1.12]', () => {
  const books = twoUsers()
  apply(books, { ...HOLD, id: 'a', userId: 1, tokenId: 11, amount: 1000 })
  expect(apply(books, settled('a', 1003))).toMatchObject({ charged: 1003, balance: { from: 1000, to: -3 } })
  expect(apply(books, { ...HOLD, id: 'b', userId: 1, tokenId: 11, amount: 1 })).toEqual({ ok: false, refusal: 'user' })
})

test('a late settlement marks the rows it changed, so that the store writes them', () => {
  const books = twoUsers()
  apply(books, { ...HOLD, id: 'a', userId: 1, tokenId: 10, amount: 100 })
  apply(books, { type: 'progress', id: 'a', used: 40 })
  apply(books, { type: 'sweep', id: 'a', log: undefined, now: 3 })
  for (const changed of Object.values(books.changed)) changed.clear()
  apply(books, settled('a', 90))
  expect([...books.changed.users, ...books.changed.tokens, ...books.changed.holds]).toEqual([1, 10, 'a'])
  expect(books.entries.map(({ kind, delta }) => [kind, delta])).toEqual([
    ['consume', -40],
    ['late', -50],
  ])
})

test('a call that was swept without progress and then finished is an ordinary one', () => {
  const books = twoUsers()
  apply(books, { ...HOLD, id: 'a', userId: 1, tokenId: 10, amount: 100 })
  apply(books, { type: 'sweep', id: 'a', log: undefined, now: 3 })
  apply(books, settled('a', 90))
  expect(books.entries.map(({ kind, delta }) => [kind, delta])).toEqual([['consume', -90]])
  expect(books.users.get(1)).toMatchObject({ quota: 910, request_count: 1 })
})

function settled(id: string, actual: number): SettleCommand {
  return { type: 'settle', id, actual, done: true, channelId: 7, log: undefined, keepLog: true, now: 2 }
}
