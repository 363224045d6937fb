import { TokenStatus } from '@tollgate/contract'
import {
  type Books,
  type BudgetClaim,
  type Hold,
  HoldState,
  LASTING,
  type TokenAccount,
  type UserAccount,
} from './books.ts'
import { changesOf, setAsideOf, spendOf, spentBudget } from './budget-claims.ts'
import { record, recordAll } from './call-records.ts'
import type { Command, ExtendCommand, HoldCommand, Refusal, Result, SettleCommand } from './commands.ts'
import { newHold } from './new-hold.ts'
import { areEnabled, noteOverrun, setAside, shortageOf, whole } from './set-aside.ts'
import { resizeSlice, takeFromSlice } from './slice.ts'

/** A higher charge is an arithmetic error, not a price. */
export const CHARGE_MAX = 1_000_000_000_000

/**
 * All rules of the money for calls, as one function without clock, database or fractions. It applies a command to the given
 * rows, or refuses it and changes nothing.
 */
export const apply = (books: Books, command: Command): Result => {
  switch (command.type) {
    case 'hold':
      return hold(books, command)
    case 'extend':
      return extend(books, command)
    case 'progress': {
      const row = books.holds.get(command.id)
      if (row?.state === HoldState.open && whole(command.used) && command.used > row.progress) {
        row.progress = command.used
        books.changed.holds.add(row.id)
      }
      return { ok: true, type: 'noted' }
    }
    case 'settle':
      return settle(books, command)
    case 'slice':
      return resizeSlice(books, command)
    case 'sweep': {
      const row = books.holds.get(command.id)
      if (row?.state !== HoldState.open) return { ok: true, type: 'noted' }
      const charged = Math.min(row.progress, row.amount)
      const done = row.progress > 0
      const result = close(books, row, charged, HoldState.swept, { now: command.now, done })
      if (done) record(books, { log: command.log, keepLog: true, done }, charged)
      return result
    }
  }
}

function hold(books: Books, command: HoldCommand): Result {
  const existing = books.holds.get(command.id)
  if (existing !== undefined) {
    const same = existing.user_id === command.userId && existing.token_id === command.tokenId
    return same && existing.amount === command.amount ? { ok: true, type: 'held', fresh: false } : refuse('conflict')
  }
  // A batch that is run again and settles the call, too.
  if (books.charged.has(command.id)) return { ok: true, type: 'held', fresh: false }
  // The sweep of an epoch has already read its holds: one added now would stay open forever.
  if (command.epoch !== LASTING && !books.living.has(command.epoch)) return refuse('epoch')
  const user = books.users.get(command.userId)
  const token = books.tokens.get(command.tokenId)
  if (user === undefined || token?.user_id !== user.id) return refuse('disabled')
  if (!whole(command.amount)) throw new Error(`Not an amount: ${command.amount}`)
  const claims = command.budgets ?? []
  const isTaken = takeFromSlice(books, command)
  const refused = isTaken ? undefined : refusalOf(books, { user, token, claims }, command)
  if (refused !== undefined) return refused

  const row = newHold(command, token, claims)
  setAside(books, user, token, row.limited, row.amount)
  // A standby that took over may have a smaller slice than its calls need.
  if (isTaken) noteOverrun(user)
  setAsideOf(books, claims, row.amount)
  books.holds.set(row.id, row)
  books.changed.newHolds.add(row.id)
  return { ok: true, type: 'held', fresh: true }
}

function refusalOf(
  books: Books,
  { user, token, claims }: { user: UserAccount; token: TokenAccount; claims: readonly BudgetClaim[] },
  { amount, now }: HoldCommand,
): Result | undefined {
  // Checked again here: authentication may use data that is a second old.
  if (!areEnabled(user, token)) return refuse('disabled')
  const shortage = shortageOf(user, token, amount)
  if (shortage !== undefined) return refuse(shortage)
  const spent = spentBudget(books, claims, amount, now)
  return spent && { ok: false, refusal: 'budget', budget: spent.id }
}

function extend(books: Books, { id, to, budgets, now }: ExtendCommand): Result {
  const row = books.holds.get(id)
  if (row?.state !== HoldState.open) return refuse('missing')
  const more = Math.max(0, to - row.amount)
  if (more === 0 && budgets === undefined) return { ok: true, type: 'held', fresh: false }
  if (!whole(to)) throw new Error(`Not an amount: ${to}`)
  const { user, token } = parties(books, row)
  const shortage = shortageOf(user, row.limited === 1 ? token : undefined, more)
  if (shortage !== undefined) return refuse(shortage)
  const before = row.budgets
  // Kept and dropped budgets are matched by id: the call stays in the slot where it started.
  const wanted = budgets ?? before
  const kept = before.filter((claim) => wanted.some(({ id }) => id === claim.id))
  const left = before.filter((claim) => !kept.includes(claim))
  const added = wanted.filter((claim) => !kept.some(({ id }) => id === claim.id))
  const spent = spentBudget(books, kept, more, now) ?? spentBudget(books, added, row.amount + more, now)
  if (spent !== undefined) return { ok: false, refusal: 'budget', budget: spent.id }
  setAside(books, user, token, row.limited, more)
  setAsideOf(books, left, -row.amount)
  setAsideOf(books, kept, more)
  setAsideOf(books, added, row.amount + more)
  row.amount += more
  if (left.length + added.length > 0) {
    row.budgets = [...kept, ...added]
    books.changed.claims.add(id)
  }
  books.changed.holds.add(id)
  return { ok: true, type: 'held', fresh: true }
}

function settle(books: Books, command: SettleCommand): Result {
  const { id, actual, now } = command
  if (!whole(actual) || actual > CHARGE_MAX) throw new Error(`Not a charge: ${actual}`)
  const row = books.holds.get(id) ?? holdWithoutRow(books, command)
  if (row === undefined) return settledBefore(books, command)
  if (row.state === HoldState.open) {
    row.channel_id = command.channelId
    const result = close(books, row, actual, HoldState.settled, { now, done: command.done })
    if (command.done || actual > 0) chargeKey(books, command, actual)
    recordAll(books, command, actual)
    return result
  }
  if (row.state === HoldState.swept) return correct(books, row, command)
  return { ok: true, type: 'settled', charged: row.actual ?? 0, balance: undefined }
}

/**
 * The hold of a call that was never settled, and yet has no row: the call was held in a slice, or the database lost it, as a standby does
 * that takes over before it has received everything. The row holds nothing, but the charge is due.
 */
function holdWithoutRow(
  books: Books,
  { id, payer, actual, done, now, budgets = [], inSlice }: SettleCommand,
): Hold | undefined {
  if (payer === undefined || books.charged.has(id) || !(done || actual > 0 || inSlice)) return undefined
  const token = books.tokens.get(payer.tokenId)
  if (!books.users.has(payer.userId) || token?.user_id !== payer.userId) return undefined
  const row = newHold({ id, epoch: LASTING, ...payer, amount: 0, price: '', now }, token, budgets)
  books.holds.set(id, row)
  books.changed.newHolds.add(id)
  return row
}

/** Repeating a settlement changes nothing. A failed call that cost nothing has left no trace, and needs none. */
function settledBefore(books: Books, { id, actual, done }: SettleCommand): Result {
  const charged = books.charged.get(id) ?? (done || actual > 0 ? undefined : 0)
  return charged === undefined ? refuse('missing') : { ok: true, type: 'settled', charged, balance: undefined }
}

/** Releases the hold and posts the charge. */
function close(books: Books, row: Hold, actual: number, state: number, how: { now: number; done: boolean }): Result {
  const { user, token } = parties(books, row)
  const claims = row.budgets
  setAside(books, user, token, row.limited, -row.amount)
  setAsideOf(books, claims, -row.amount)
  const from = user.quota
  // A failed call does not count as a request and leaves no ledger row, unless it did cost something.
  if (how.done || actual > 0) consume(books, row, actual, how.now)
  noteOverrun(user)
  row.state = state
  row.actual = actual
  row.closed_at = how.now
  books.changed.holds.add(row.id)
  // What other calls hold is not spent yet. Only actual spending exhausts a key.
  const spent = row.limited === 1 && token.unlimited_quota === 0 && token.remain_quota <= 0
  if (spent && token.status === TokenStatus.enabled) {
    token.status = TokenStatus.exhausted
  }
  token.accessed_time = how.now
  books.changed.tokens.add(token.id)
  const balance = { from, to: user.quota }
  return { ok: true, type: 'settled', charged: actual, balance, budgets: changesOf(books, claims, actual, how.now) }
}

/**
 * We were declared dead, our hold was swept, and then we finished: the difference is posted. A sweep without progress posted
 * nothing, so that the call becomes an ordinary one.
 */
function correct(books: Books, row: Hold, command: SettleCommand): Result {
  const { user, token } = parties(books, row)
  const from = user.quota
  const posted = row.progress > 0
  const rest = command.actual - (row.actual ?? 0)
  row.channel_id = command.channelId
  if (!posted && (command.done || rest > 0)) consume(books, row, rest, command.now)
  if (posted && rest !== 0) charge(books, row, rest, 'late', command.now)
  if (command.done || rest !== 0) chargeKey(books, command, rest)
  if (row.limited === 1 && token.remain_quota > 0 && token.status === TokenStatus.exhausted) {
    token.status = TokenStatus.enabled
  }
  noteOverrun(user)
  row.state = HoldState.corrected
  row.actual = command.actual
  books.changed.holds.add(row.id)
  books.changed.users.add(user.id)
  books.changed.tokens.add(token.id)
  // The recovered row has the first part already; the two add up to the charge, and are one call.
  recordAll(books, command, rest, posted ? 0 : 1)
  return { ok: true, type: 'settled', charged: command.actual, balance: { from, to: user.quota } }
}

function consume(books: Books, row: Hold, amount: number, now: number) {
  parties(books, row).user.request_count += 1
  charge(books, row, amount, 'consume', now)
}

function charge(books: Books, row: Hold, amount: number, kind: 'consume' | 'late', now: number) {
  const { user, token } = parties(books, row)
  user.quota -= amount
  user.used_quota += amount
  token.used_quota += amount
  spendOf(books, row.budgets, amount)
  if (row.limited === 1) token.remain_quota -= amount
  if (row.channel_id !== null) {
    books.channelUsed.set(row.channel_id, (books.channelUsed.get(row.channel_id) ?? 0) + amount)
  }
  books.entries.push({
    ts: now,
    kind,
    ref: row.id,
    user_id: user.id,
    token_id: token.id,
    channel_id: row.channel_id,
    delta: 0 - amount, // `-0` is not a number that a database knows
    balance: user.quota,
  })
}

/** A channel's charge is also added to the key that was used, if it has a pool. */
function chargeKey(books: Books, { channelKeyId: id, now: at }: SettleCommand, amount: number) {
  if (id === undefined) return
  const { used, calls } = books.channelKeyUsed.get(id) ?? { used: 0, calls: 0 }
  books.channelKeyUsed.set(id, { used: used + amount, calls: calls + 1, at })
}

function parties(books: Books, row: Hold) {
  const user = books.users.get(row.user_id)
  const token = books.tokens.get(row.token_id)
  if (user === undefined || token === undefined) throw new Error(`The parties of the hold ${row.id} were not loaded`)
  return { user, token }
}

function refuse(refusal: Exclude<Refusal, 'budget'>): Result {
  return { ok: false, refusal }
}
