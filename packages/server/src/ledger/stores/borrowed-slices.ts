import { type Clock, seconds } from '../../common/clock.ts'
import type { HoldCommand, Payer } from '../commands.ts'
import { newSliceId } from '../slice.ts'
import type { Epochs } from './owner.ts'
import type { LedgerWriter } from './writer.ts'

/** An account that begins as many calls in two rounds is busy. */
const BUSY_CALLS = 4
/** So often slices are adjusted to what their accounts need. */
const ROUND_MS = 1000
/** After as many rounds without a call a slice is given back. */
const IDLE_ROUNDS = 2
/** After a balance was too small, its row decides for as many rounds. */
const EXACT_ROUNDS = 5

export interface Needs {
  writer: LedgerWriter
  epochs: Pick<Epochs, 'current' | 'opened' | 'ended'>
  clock: Clock
  roundMs?: number
}

export interface Slice {
  readonly id: string
  readonly epoch: string
  readonly account: Account
  /** As its row says. */
  amount: number
  /** Charged since then: the balance is smaller by that already. */
  spent: number
  /** Held by running calls. */
  running: number
  /** False while its row may be smaller than we know. */
  isOpen: boolean
  /** Calls that get rows of their own with its next change. */
  moves: (() => Promise<void>)[]
  /** Its last change: they follow one another. */
  turn: Promise<unknown>
  /** How many changes have not ended. */
  changes: number
}

/** A key and its owner that called in the last seconds. */
interface Account extends Payer {
  slice: Slice | undefined
  /** In this round and in the last one. */
  calls: number
  held: number
  lastCalls: number
  lastHeld: number
  idleRounds: number
  exactUntil: number
}

const freeOf = ({ amount, spent, running }: Slice) => Math.max(0, amount - spent - running)

/** Twice what the calls of a round hold. */
const targetOf = ({ held, lastHeld }: Account) => 2 * Math.max(held, lastHeld)

const isMoreThanNeeded = ({ amount, running, changes }: Slice) => amount > running || changes > 0

const isExact = ({ exactUntil }: Account) => performance.now() < exactUntil

/** The slices that this process has borrowed of the balances of busy accounts. */
export const createBorrowedSlices = ({ writer, epochs, clock, roundMs = ROUND_MS }: Needs) => {
  const accounts = new Map<string, Account>()
  /** By user. */
  const borrowed = new Map<number, Set<Slice>>()
  let timer: Timer | undefined

  const setExact = (account: Account) => {
    account.exactUntil = performance.now() + EXACT_ROUNDS * roundMs
  }

  const accountOf = ({ userId, tokenId }: Payer) => {
    const key = `${userId}:${tokenId}`
    const known = accounts.get(key)
    if (known !== undefined) return known
    const counts = { calls: 0, held: 0, lastCalls: 0, lastHeld: 0, idleRounds: 0, exactUntil: 0 }
    const account: Account = { userId, tokenId, slice: undefined, ...counts }
    accounts.set(key, account)
    timer ??= setInterval(adjustAll, roundMs)
    return account
  }

  const borrowedOf = (userId: number) => [...(borrowed.get(userId) ?? [])]

  const inTurn = <T>(slice: Slice, change: () => Promise<T>): Promise<T> => {
    slice.changes++
    const turn = slice.turn.then(change, change).finally(() => {
      slice.changes--
    })
    slice.turn = turn
    return turn
  }

  const forget = (slice: Slice) => {
    slice.isOpen = false
    if (slice.account.slice !== slice) return
    slice.account.slice = undefined
    epochs.ended(slice.epoch)
    const others = borrowed.get(slice.account.userId)
    others?.delete(slice)
    if (others?.size === 0) borrowed.delete(slice.account.userId)
  }

  /** Sets the row to `keep`, and as much of `want` as the balance allows; returns how much that is. */
  const resize = async (slice: Slice, keep: number, want: number) => {
    const { id, epoch, spent, account } = slice
    const { userId, tokenId } = account
    const result = await writer.submit({
      ...{ type: 'slice', id, epoch, userId, tokenId, keep, want, now: seconds(clock) },
    })
    const amount = result.ok && result.type === 'sliced' ? result.amount : 0
    slice.amount = amount
    slice.spent -= spent
    if (amount === 0) forget(slice)
    return amount - keep
  }

  const borrow = async (account: Account) => {
    const slice: Slice = {
      ...{ id: newSliceId(), epoch: epochs.current(), account, amount: 0, spent: 0, running: 0 },
      ...{ isOpen: false, moves: [], turn: Promise.resolve(), changes: 0 },
    }
    account.slice = slice
    borrowed.set(account.userId, (borrowed.get(account.userId) ?? new Set()).add(slice))
    epochs.opened(slice.epoch)
    const granted = await inTurn(slice, () => resize(slice, 0, targetOf(account)))
    slice.isOpen = account.slice === slice
    if (granted <= 0) setExact(account)
  }

  /** Running calls, and those that begin meanwhile, keep what they have. */
  const grow = (slice: Slice) =>
    inTurn(slice, async () => {
      if (!slice.isOpen) return
      const free = freeOf(slice)
      const want = Math.max(0, targetOf(slice.account) - free)
      const granted = await resize(slice, free + slice.running, want)
      if (granted >= want / 2) return
      setExact(slice.account)
      quietly(shrink(slice, 0))
    })

  const shrink = (slice: Slice, want: number) =>
    inTurn(slice, async () => {
      if (slice.account.slice !== slice) return
      slice.isOpen = false
      await resize(slice, slice.running, want)
      slice.isOpen = slice.account.slice === slice
    })

  /** The writer has logged why, and the next round tries again. */
  const quietly = (change: Promise<unknown>) => void change.catch(() => {})

  const adjust = (slice: Slice) => {
    if (slice.changes > 0) return
    const { account } = slice
    const free = freeOf(slice)
    const isOver = account.idleRounds >= IDLE_ROUNDS || isExact(account) || slice.epoch !== epochs.current()
    const want = isOver ? 0 : targetOf(account)
    if (!slice.isOpen || (isOver ? free > 0 || slice.spent > 0 || slice.running === 0 : free > 2 * want))
      quietly(shrink(slice, want))
    else if (!isOver && slice.spent > 0) quietly(grow(slice))
  }

  const adjustAll = () => {
    for (const [key, account] of accounts) {
      account.idleRounds = account.calls === 0 ? account.idleRounds + 1 : 0
      account.lastCalls = account.calls
      account.lastHeld = account.held
      account.calls = 0
      account.held = 0
      if (account.slice !== undefined) adjust(account.slice)
      else if (account.idleRounds > IDLE_ROUNDS && !isExact(account)) accounts.delete(key)
    }
    if (accounts.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const take = (slice: Slice, amount: number) => {
    const free = freeOf(slice)
    if (!slice.isOpen || free < amount || slice.epoch !== epochs.current() || !writer.answers()) return false
    slice.running += amount
    if (free - amount < targetOf(slice.account) / 2 && slice.changes === 0) quietly(grow(slice))
    return true
  }

  /** If the answer is lost, nobody knows whether the call has a row: the slice counts as smaller. */
  const give = async (slice: Slice, command: HoldCommand) => {
    const { amount } = command
    slice.amount -= amount
    slice.running -= amount
    let isMoved = false
    try {
      const result = await writer.submit({ ...command, epoch: slice.epoch, slice: slice.id })
      isMoved = result.ok
      if (!isMoved) slice.amount += amount
    } finally {
      if (!isMoved) slice.running += amount
    }
    return isMoved
  }

  return {
    /** A new call: the slice that holds it, if there is one. An account that is busy gets one. */
    hold(payer: Payer, amount: number): Slice | undefined {
      const account = accountOf(payer)
      account.calls++
      account.held += amount
      const { slice } = account
      if (slice === undefined) {
        if (account.calls + account.lastCalls >= BUSY_CALLS && !isExact(account)) quietly(borrow(account))
        return undefined
      }
      return take(slice, amount) ? slice : undefined
    },

    /** More for a call of the slice. */
    extend: take,

    /** A call of the slice has ended. */
    release(slice: Slice, amount: number, charged: number) {
      slice.running -= amount
      slice.spent += charged
    },

    /**
     * A call of the slice gets a row of its own; false if it is refused. Those that ask before the slice's next change are written together.
     */
    move(slice: Slice, command: HoldCommand) {
      const { promise, resolve, reject } = Promise.withResolvers<boolean>()
      slice.moves.push(() => give(slice, command).then(resolve, reject))
      if (slice.moves.length === 1) void inTurn(slice, () => Promise.all(slice.moves.splice(0).map((each) => each())))
      return promise
    },

    /** Whether this process has borrowed more of a balance than its calls need. */
    canGiveBack: (userId: number) => borrowedOf(userId).some(isMoreThanNeeded),

    /** What this process has borrowed of a balance, and does not need. From then on its row decides. */
    async giveBack(userId: number) {
      const own = borrowedOf(userId)
      for (const { account } of own) setExact(account)
      await Promise.allSettled(own.filter(isMoreThanNeeded).map((slice) => shrink(slice, 0)))
    },

    async close() {
      clearInterval(timer)
      timer = undefined
      const slices = [...borrowed.values()].flatMap((own) => [...own])
      await Promise.allSettled(slices.map((slice) => shrink(slice, 0)))
      accounts.clear()
    },
  }
}
