import type { Clock } from '../common/clock.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { Db } from '../database/client.ts'
import type { Job } from '../jobs/job.ts'
import { type FiguresDb, upToDateFigures } from '../ledger/up-to-date-figures.ts'
import { callersOf, routesUntil } from './derived-rows.ts'
import { figurePacksRepository, partOf } from './figure-packs-repository.ts'
import { finishedDaysRepository } from './finished-days-repository.ts'
import { latencyPacksRepository } from './latency-packs-repository.ts'
import { packLatencyDays } from './pack-latencies.ts'
import { type PackedRow, packRows } from './packed-rows.ts'
import { type FigurePackKind, type Pack, type PackedDays, packsRepository } from './packs-repository.ts'
import { FOUR_DAYS } from './zone-time.ts'

/** Calls may be written this long after the end of a day. */
const LATE_SEC = 3 * HOUR
/** Between two steps: calls come first. */
const PAUSE_MS = 50

/** Packs the figures and latencies of finished days, and again those that have changed since. */
export const createPackDays = ({ db, clock }: { db: Db; clock: Clock }) => {
  let ended = false

  const run = async () => {
    const figures = await upToDateFigures(db)
    const repository = figurePacksRepository(figures)
    const latencies = latencyPacksRepository(db)
    const first = await repository.firstDay()
    if (first === undefined) return
    const closed = Math.floor(clock.now() / 1000) - LATE_SEC
    const pack = async (days: PackedDays) => {
      const [counted, timed] = [await repository.isUpToDate(days), await latencies.isUpToDate(days)]
      if (counted && timed) return
      if (!counted) await packDays(figures, days)
      if (!timed) await packLatencyDays(db, days)
      await Bun.sleep(PAUSE_MS)
    }
    let start = first - (first % FOUR_DAYS)
    for (; start + FOUR_DAYS <= closed && !ended; start += FOUR_DAYS) await pack({ span: FOUR_DAYS, start })
    // Not at once, because other nodes may still be reading them.
    await packsRepository(db).removeDays(start - FOUR_DAYS)
    for (; start + DAY <= closed && !ended; start += DAY) await pack({ span: DAY, start })
  }

  return {
    job: { name: 'packs of finished days', everySec: 3 * HOUR, run } satisfies Job,
    /** The rest is done after the next start. */
    end() {
      ended = true
    },
  }
}

/**
 * Packs some days. Their total is read first: a call that is written meanwhile may or may not be in the packs, but is not in the
 * total that is kept with them, so that they are not read, and are made again.
 */
export const packDays = async (figures: FiguresDb, made: PackedDays) => {
  const repository = figurePacksRepository(figures)
  const days = finishedDaysRepository(figures, made)
  await days.makeTotals()
  const total = await repository.totalOf(made)
  await days.numberKeys()
  const packs: Pack[] = []
  const add = async (kind: FigurePackKind, rows: readonly PackedRow[], part = 0) => {
    packs.push({ kind, ...made, part, bytes: packRows(rows) })
    await yieldToEventLoop()
  }
  const calls = Map.groupBy(await days.calls(), ({ route: [model] }) => partOf(model))
  for (const [part, rows] of [...calls].sort(([one], [other]) => one - other)) {
    await add('calls', rows, part)
    await add('callers', callersOf(rows, true), part)
  }
  const keys = await days.keys()
  await add('keys', keys)
  await add('active', callersOf(keys, false))
  const routes = await days.routes()
  await add('routes', routes)
  for (const { hour, rows } of routesUntil(routes)) await add('routes until', rows, hour)
  await add('total', await days.total())
  await repository.write(made, total, packs)
}
