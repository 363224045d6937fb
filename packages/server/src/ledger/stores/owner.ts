import { type Clock, seconds } from '../../common/clock.ts'
import { nodeName } from '../../common/node-name.ts'
import type { Db, Engine } from '../../database/client.ts'
import { LASTING } from '../books.ts'
import { recoveredLog } from '../recovered-log.ts'
import { type Lock, locksOf } from './locks.ts'
import type { LedgerWriter } from './writer.ts'

/** The epoch under which this process creates its holds. */
export interface Epochs {
  current(): string
  /** Starts a new one, if `dead` is still the current one. */
  renew(dead: string): Promise<void>
  /** A hold of this process begins or ends. */
  opened(epoch: string): void
  ended(epoch: string): void
  /** The epoch of holds that outlive every process. Created with the first of them. */
  lasting(): Promise<string>
}

export interface Owner extends Epochs {
  /** Ends the holds of dead processes; returns how many. */
  sweep(writer: LedgerWriter): Promise<number>
  close(): Promise<void>
}

/** In this round and the next one: the others take their locks again in rounds of their own. */
const ROUNDS_FOR_OTHERS = 2

/**
 * A process that creates holds owns an epoch, and proves that it is alive by a lock, never by a clock: a clock that jumps can
 * neither release nor strand a hold. Being able to take an epoch's lock proves that its process is gone.
 *
 * A lock can be lost together with its connection while the process lives. A new epoch starts then, and the old one, whose lock is taken
 * again, is retired: it ends with the last of this process's holds under it. If the database failed over to a copy that lagged behind, holds that were
 * settled are open again under the old epoch; nobody knows them any more, and they are swept then.
 *
 * A database that restarts, also one of whose server processes was killed, takes the locks of all processes at once. Whoever has lost its own
 * leaves the others time before it takes them for dead.
 */
export const createOwner = async (db: Db, engine: Engine, location: string, clock: Clock): Promise<Owner> => {
  const take = locksOf(engine, location)

  const begin = async () => {
    const epoch = Bun.randomUUIDv7()
    const lock = await take(epoch)
    if (lock === undefined) throw new Error('The lock of a new epoch is taken')
    try {
      await db
        .insertInto('owners')
        .values({ epoch, node: nodeName(), started_at: seconds(clock), closed_at: null })
        .execute()
    } catch (error) {
      await lock.release()
      throw error
    }
    return { epoch, lock }
  }

  let own: { epoch: string; lock: Lock } = await begin()
  let renewing: Promise<void> | undefined

  /** This process's open holds by epoch. */
  const open = new Map<string, number>()
  const retired = new Map<string, Lock>()

  const replace = async () => {
    const old = own.lock
    own = await begin()
    await old.release()
  }

  const renew = async (dead: string) => {
    if (own.epoch !== dead) return
    renewing ??= replace().finally(() => {
      renewing = undefined
    })
    await renewing
  }

  /** Closed from the beginning: no process lives under it, so none can be found dead. */
  const beginLasting = () =>
    db
      .insertInto('owners')
      .values({ epoch: LASTING, node: '', started_at: 0, closed_at: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  let lasts = false

  /** Only PostgreSQL can lose it. Undefined when another process took it meanwhile, which has swept us, or is about to. */
  const kept = async (epoch: string, lock: Lock): Promise<Lock | undefined> => {
    if (await lock.holds()) return lock
    await lock.release()
    return take(epoch)
  }

  /** False when it had been lost. */
  const keepLock = async () => {
    const { epoch, lock } = own
    const again = await kept(epoch, lock)
    if (again === lock) return true
    if (again !== undefined) retired.set(epoch, again)
    await renew(epoch)
    return false
  }

  const endRetired = async () => {
    for (const [epoch, lock] of retired) {
      const again = await kept(epoch, lock)
      if (again === undefined) retired.delete(epoch)
      else retired.set(epoch, again)
      if (again === undefined || open.has(epoch)) continue
      await closeEpoch(epoch, { lost: false })
      retired.delete(epoch)
      await again.release()
    }
  }

  /** `lost`: its process did not close it itself. */
  const closeEpoch = (epoch: string, { lost }: { lost: boolean }) =>
    db
      .updateTable('owners')
      .set({ closed_at: seconds(clock), ...(lost && { lost_at: seconds(clock) }) })
      .where('epoch', '=', epoch)
      .where('closed_at', 'is', null)
      .execute()

  /** Closed first: from then on no hold can be added that this sweep would miss. */
  const end = async (dead: string, writer: LedgerWriter) => {
    await closeEpoch(dead, { lost: true })
    const holds = await db
      .selectFrom('holds')
      .innerJoin('users', 'users.id', 'holds.user_id')
      .innerJoin('tokens', 'tokens.id', 'holds.token_id')
      .select(['holds.id', 'holds.user_id as userId', 'holds.price', 'users.username', 'tokens.name as tokenName'])
      .where('epoch', '=', dead)
      .where('state', '=', 0)
      .execute()
    const now = seconds(clock)
    await Promise.all(
      holds.map((hold) => writer.submit({ type: 'sweep', id: hold.id, log: recoveredLog(hold, clock, DIED), now })),
    )
    return holds.length
  }

  /** Epochs whose sweep was interrupted, and `all` that were not closed. The lasting epoch is never swept. */
  const others = async ({ all }: { all: boolean }) => {
    const open = await db.selectFrom('owners').select('epoch').where('closed_at', 'is', null).execute()
    const held = await db.selectFrom('holds').select('epoch').where('state', '=', 0).groupBy('epoch').execute()
    const unclosed = new Set(open.map(({ epoch }) => epoch))
    const closed = held.map(({ epoch }) => epoch).filter((epoch) => !unclosed.has(epoch))
    return [...closed, ...(all ? unclosed : [])].filter((epoch) => epoch !== own.epoch && epoch !== LASTING)
  }

  let roundsForOthers = 0

  return {
    current: () => own.epoch,
    renew,
    opened: (epoch) => void open.set(epoch, (open.get(epoch) ?? 0) + 1),
    ended(epoch) {
      const left = (open.get(epoch) ?? 0) - 1
      if (left > 0) open.set(epoch, left)
      else open.delete(epoch)
    },
    async lasting() {
      if (!lasts) await beginLasting()
      lasts = true
      return LASTING
    },
    async sweep(writer) {
      if (!(await keepLock())) roundsForOthers = ROUNDS_FOR_OTHERS
      await endRetired()
      const all = roundsForOthers === 0
      if (!all) roundsForOthers--
      let swept = 0
      for (const epoch of await others({ all })) {
        const taken = await take(epoch)
        if (taken === undefined) continue
        try {
          swept += await end(epoch, writer)
        } finally {
          await taken.release()
        }
      }
      return swept
    },
    async close() {
      for (const epoch of [own.epoch, ...retired.keys()]) await closeEpoch(epoch, { lost: false })
      for (const lock of [own.lock, ...retired.values()]) await lock.release()
    },
  }
}

const DIED = {
  zh: '进程中断后恢复：按已记录的进度计费',
  en: 'Recovered after the process had died: charged by the recorded progress',
  flag: 'recovered',
}
