import { LASTING } from '../books.ts'
import type { Command, ExtendCommand, HoldCommand, Payer, ProgressCommand, Result, SettleCommand } from '../commands.ts'
import { createBorrowedSlices, type Needs, type Slice } from './borrowed-slices.ts'
import type { LedgerWriter } from './writer.ts'

/** A refused call waits this long for what other processes have borrowed and do not need: an idle one gives it back within three seconds. */
const RECALL_MS = 4000
const RECALL_EVERY_MS = 100
/** After a call was refused although others gave back what they could, the next ones do not wait for this time. */
const SPENT_MS = 10_000

export interface SliceWriter extends LedgerWriter {
  /** How many calls are held in slices. */
  calls(): number
  /** Gives back what no call needs. */
  close(): Promise<void>
}

interface Shared extends Needs {
  /** Whether another process than the one of this epoch has borrowed of a balance: of all keys of a user, or of one key. */
  isLent(of: { userId: number; tokenId: number | undefined }, epoch: string): Promise<boolean>
}

/** A call that is held in a slice. */
interface SlicedCall {
  slice: Slice
  command: HoldCommand
  amount: number
  /** While it gets a row of its own. */
  moving: Promise<void> | undefined
  /** It was submitted to be written, and the answer may have been lost. From then on its amount stays. */
  mayBeWritten: boolean
}

const HELD: Result = { ok: true, type: 'held', fresh: true }

/**
 * For a database that several processes share: each borrows a slice of the balance of a busy account, and holds calls in it without asking.
 * A slice is a row in the table of holds, so that no balance is promised twice, and a dead process's slice is swept. Charges are written as
 * ever, and count against the slice in memory; its row follows once a second. A call that lasts gets a row of its own with its first
 * progress. Calls with budgets, and those at the end of a balance, are decided by the rows alone.
 */
export const createSlices = ({ isLent, ...needs }: Shared): SliceWriter => {
  const { writer, epochs } = needs
  const slices = createBorrowedSlices(needs)
  const calls = new Map<string, SlicedCall>()
  const recalls = new Map<string, Promise<boolean>>()
  /** The balances for which no call waits. */
  const spent = new Set<string>()

  const hold = async (command: HoldCommand): Promise<Result> => {
    const { id, amount } = command
    const slice = canBeSliced(command) ? slices.hold(command, amount) : undefined
    if (slice !== undefined) {
      calls.set(id, { slice, command, amount, moving: undefined, mayBeWritten: false })
      return HELD
    }
    const result = await writer.submit(command)
    const short = shortOf(result, command)
    if (short === undefined || (spent.has(nameOf(short)) && !slices.canGiveBack(short.userId))) return result
    return afterRecall(command, short)
  }

  /** Whether something of the balance may still come back from others. */
  const recall = (short: Short) => {
    const name = nameOf(short)
    const recalling =
      recalls.get(name) ??
      slices
        .giveBack(short.userId)
        .then(() => isLent(short, epochs.current()))
        .finally(() => recalls.delete(name))
    recalls.set(name, recalling)
    return recalling
  }

  const noteSpent = (name: string) => {
    if (spent.has(name)) return
    spent.add(name)
    setTimeout(() => spent.delete(name), SPENT_MS).unref()
  }

  /** A call that the balance would cover, if nobody had borrowed of it, is not refused. */
  const afterRecall = async (command: HoldCommand | ExtendCommand, short: Short): Promise<Result> => {
    const name = nameOf(short)
    const until = performance.now() + RECALL_MS
    for (;;) {
      const mayComeBack = (await recall(short)) && !spent.has(name) && performance.now() < until
      const result = await writer.submit(command)
      if (shortOf(result, short) === undefined) return result
      if (!mayComeBack) {
        noteSpent(name)
        return result
      }
      await Bun.sleep(RECALL_EVERY_MS)
    }
  }

  const move = (call: SlicedCall) => {
    const { slice, command, amount } = call
    call.mayBeWritten = true
    call.moving ??= slices
      .move(slice, { ...command, amount })
      .then((isMoved) => void (isMoved && calls.delete(command.id)))
      .finally(() => {
        call.moving = undefined
      })
    return call.moving
  }

  const extend = async (call: SlicedCall, command: ExtendCommand): Promise<Result> => {
    const more = Math.max(0, command.to - call.amount)
    const isPlain = command.budgets === undefined || command.budgets.length === 0
    if (isPlain && !call.mayBeWritten && slices.extend(call.slice, more)) {
      call.amount += more
      return HELD
    }
    await move(call)
    return extendRow(command)
  }

  const extendRow = async (command: ExtendCommand) => {
    const result = await writer.submit(command)
    const short = command.payer && shortOf(result, command.payer)
    if (short === undefined) return result
    if (command.isLast) return afterRecall(command, short)
    await slices.giveBack(short.userId)
    return writer.submit(command)
  }

  const progress = async (call: SlicedCall, command: ProgressCommand): Promise<Result> => {
    await move(call)
    return writer.submit(command)
  }

  const settle = async (call: SlicedCall, command: SettleCommand): Promise<Result> => {
    await call.moving?.catch(() => {})
    if (!calls.has(command.id)) return writer.submit(command)
    const inSlice = call.mayBeWritten ? 'again' : 'once'
    call.mayBeWritten = true
    const result = await writer.submit({ ...command, inSlice })
    const charged = result.ok && result.type === 'settled' ? result.charged : 0
    if (calls.delete(command.id)) slices.release(call.slice, call.amount, charged)
    return result
  }

  const later = (call: SlicedCall, command: Command) => {
    switch (command.type) {
      case 'extend':
        return extend(call, command)
      case 'progress':
        return progress(call, command)
      case 'settle':
        return settle(call, command)
      default:
        return writer.submit(command)
    }
  }

  return {
    ...writer,
    submit(command) {
      if (command.type === 'hold') return hold(command)
      const call = calls.get(command.id)
      if (call !== undefined) return later(call, command)
      return command.type === 'extend' ? extendRow(command) : writer.submit(command)
    },
    calls: () => calls.size,
    close: slices.close,
  }
}

const canBeSliced = ({ epoch, budgets = [] }: HoldCommand) => epoch !== LASTING && budgets.length === 0

/** A balance that is too small: of a user, or of a limited key. */
interface Short {
  userId: number
  tokenId: number | undefined
}

function shortOf(result: Result, { userId, tokenId }: Payer | Short): Short | undefined {
  if (result.ok || (result.refusal !== 'user' && result.refusal !== 'token')) return undefined
  return { userId, tokenId: result.refusal === 'token' ? tokenId : undefined }
}

const nameOf = ({ userId, tokenId = 0 }: Short) => `${userId}:${tokenId}`
