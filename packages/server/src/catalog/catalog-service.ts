import type { Clock } from '../common/clock.ts'
import { type GroupFactor, micros } from '../ledger/rounding.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { PriceBook, Prices } from './prices.ts'
import type { RoutableChannel } from './routable-channel.ts'
import { buildSnapshot, type Snapshot } from './snapshot.ts'

export type CatalogService = ReturnType<typeof createCatalogService>

/** The maximum age of this node's configuration. */
const FRESH_MS = 1000
/** From this age on it is checked again while calls go on with it. */
const REFRESH_MS = 800

interface Needs {
  /** The stored channels, and a version that changes with them. */
  channels: { version(): Promise<string>; routable(): Promise<readonly RoutableChannel[]> }
  options: OptionsService
  /** Other configuration of calls, which detects its own changes. */
  budgets: { refresh(): Promise<void> }
  prices: Prices
  clock: Clock
}

/** All configuration that a call needs, in memory. A change builds a new snapshot and swaps it. */
export const createCatalogService = ({ channels, options, budgets, prices, clock }: Needs) => {
  let snapshot: Snapshot = buildSnapshot([])
  let version = ''
  let checkedAt = Number.NEGATIVE_INFINITY
  let forgotten = 0
  let checking: Promise<void> | undefined

  const checkOnce = async () => {
    const now = clock.now()
    const before = forgotten
    const optionsOf = await options.refresh(REFRESH_MS)
    await budgets.refresh()
    const found = await channels.version()
    if (found !== version) {
      snapshot = buildSnapshot(await channels.routable())
      version = found
    }
    // The time at which the check started: later changes may have been missed. Of two ages the greater one counts.
    if (before === forgotten) checkedAt = Math.min(now, optionsOf)
  }

  /** Whoever joins a check waits for one that started after the last change. */
  const check = async () => {
    do await checkOnce()
    while (checkedAt === Number.NEGATIVE_INFINITY)
  }

  return {
    snapshot: () => snapshot,

    prices: (): PriceBook => prices.book(),

    /** An unknown group has the default factor. */
    groupFactor: (group: string): GroupFactor => micros(options.values().GroupRatio.get(group) ?? 1),

    /** Another node has changed something: the snapshot is outdated, whatever its age. */
    forget() {
      forgotten++
      checkedAt = Number.NEGATIVE_INFINITY
    },

    /** Checks now, whatever the age. */
    reload: check,

    /** Undefined while the snapshot is fresh, which is nearly always; otherwise the promise to wait for. */
    stale(): Promise<void> | undefined {
      const age = Math.abs(clock.now() - checkedAt)
      if (age < REFRESH_MS) return undefined
      checking ??= check().finally(() => {
        checking = undefined
      })
      if (age >= FRESH_MS) return checking
      // If it fails, the call that has to wait for the next one hears of it.
      checking.catch(() => {})
      return undefined
    },
  }
}
