import type { Clock } from '../common/clock.ts'
import { HOUR } from '../common/time-units.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import type { Db } from '../database/client.ts'
import type { Job } from '../jobs/job.ts'
import { type FiguresDb, upToDateFigures } from '../ledger/up-to-date-figures.ts'
import { type FigurePack, figurePacksRepository, type PackKind, partOf } from './figure-packs-repository.ts'
import { finishedDaysRepository } from './finished-days-repository.ts'
import { type PackedRow, packRows } from './packed-rows.ts'
import { FOUR_DAYS } from './zone-time.ts'

/** Calls may be written this long after the end of a day. */
const LATE_SEC = 3 * HOUR
/** Between two steps: calls come first. */
const PAUSE_MS = 50

/** Packs the figures of finished days, and again those that have changed since. */
export const createPackDays = ({ db, clock }: { db: Db; clock: Clock }) => {
  let ended = false

  const run = async () => {
    const figures = await upToDateFigures(db)
    const repository = figurePacksRepository(figures)
    const first = await repository.firstDay()
    if (first === undefined) return
    const closed = Math.floor(clock.now() / 1000) - LATE_SEC
    for (let start = first - (first % FOUR_DAYS); start + FOUR_DAYS <= closed && !ended; start += FOUR_DAYS) {
      if (!(await repository.isUpToDate(start))) await packDays(figures, start)
      await Bun.sleep(PAUSE_MS)
    }
  }

  return {
    job: { name: 'figures of finished days', everySec: 3 * HOUR, run } satisfies Job,
    /** The rest is done after the next start. */
    end() {
      ended = true
    },
  }
}

/**
 * Packs four days. Their total is read first: a call that is written meanwhile may or may not be in the packs, but is not in the
 * total that is kept with them, so that they are not read, and are made again.
 */
export const packDays = async (figures: FiguresDb, start: number) => {
  const repository = figurePacksRepository(figures)
  const days = finishedDaysRepository(figures, start)
  await days.makeTotals()
  const total = await repository.totalOf(start)
  await days.numberKeys()
  const packs: FigurePack[] = []
  const add = async (kind: PackKind, rows: readonly PackedRow[], part = 0) => {
    packs.push({ kind, start, part, bytes: packRows(rows) })
    await yieldToEventLoop()
  }
  const calls = Map.groupBy(await days.calls(), ({ route: [model] }) => partOf(model))
  for (const [part, rows] of [...calls].sort(([one], [other]) => one - other)) await add('calls', rows, part)
  await add('keys', await days.keys())
  await add('routes', await days.routes())
  await add('total', await days.total())
  await repository.write(start, total, packs)
}
