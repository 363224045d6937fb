import type { Clock } from '../common/clock.ts'
import { type GroupFactor, micros } from '../ledger/rounding.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { PriceBook, Prices } from './prices.ts'
import type { RoutableChannel } from './routable-channel.ts'
import { buildSnapshot, type Snapshot } from './snapshot.ts'

export type CatalogService = ReturnType<typeof createCatalogService>

/** What this node knows is never older than this. */
const FRESH_MS = 1000

interface Needs {
  /** The channels as they are stored, and a number that changes with them. */
  channels: { version(): Promise<string>; routable(): Promise<readonly RoutableChannel[]> }
  options: OptionsService
  /** What else calls have to know, and looks itself whether it has changed. */
  budgets: { refresh(): Promise<void> }
  prices: Prices
  clock: Clock
}

/** Everything a call has to know of the configuration, in memory. A change builds a new snapshot and swaps it. */
export const createCatalogService = ({ channels, options, budgets, prices, clock }: Needs) => {
  let snapshot: Snapshot = buildSnapshot([])
  let version = ''
  let checkedAt = Number.NEGATIVE_INFINITY
  let forgotten = 0
  let checking: Promise<void> | undefined

  const check = async () => {
    const now = clock.now()
    const before = forgotten
    const optionsOf = await options.refresh()
    await budgets.refresh()
    const found = await channels.version()
    if (found !== version) {
      snapshot = buildSnapshot(await channels.routable())
      version = found
    }
    // When we began to look: what changed meanwhile may have been missed. Of two ages the greater one counts.
    if (before === forgotten) checkedAt = Math.min(now, optionsOf)
  }

  return {
    snapshot: () => snapshot,

    prices: (): PriceBook => prices.book(),

    /** An unknown group costs what the default costs. */
    groupFactor: (group: string): GroupFactor => micros(options.values().GroupRatio.get(group) ?? 1),

    /** Another node has changed something: what is known is old, whatever its age. */
    forget() {
      forgotten++
      checkedAt = Number.NEGATIVE_INFINITY
    },

    /** Looks now, whatever the age. */
    reload: check,

    /** Undefined when what is known is fresh, which is nearly always; otherwise the promise to wait for. */
    stale(): Promise<void> | undefined {
      if (Math.abs(clock.now() - checkedAt) < FRESH_MS) return undefined
      checking ??= check().finally(() => {
        checking = undefined
      })
      return checking
    },
  }
}
