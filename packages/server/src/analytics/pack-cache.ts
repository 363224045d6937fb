import type { Clock } from '../common/clock.ts'
import type { FigurePack, PackedDays, PacksQuery } from './figure-packs-repository.ts'

const BYTES_MAX = 32_000_000
const MINUTE_MS = 60_000
const KEPT_MS = 5 * MINUTE_MS

interface Kept {
  /** Of the days when the packs were read. Undefined if they were not known to be packed. */
  total: number | undefined
  packs: readonly FigurePack[]
  size: number
  usedAt: number
}

export type PackCache = ReturnType<typeof createPackCache>

/**
 * Keeps packs for a few minutes: other questions about the same days read them too. Whoever opens the analytics asks several, and with
 * the packs at hand a new one is only summed up.
 */
export const createPackCache = (clock: Clock) => {
  const totals = new Map<string, number>()
  const known = new Map<string, Kept>()
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const forget = (name: string) => {
    size -= known.get(name)?.size ?? 0
    known.delete(name)
  }

  const find = ({ name, days }: Unit) => {
    const kept = known.get(name)
    if (kept === undefined || kept.total !== totals.get(days)) return undefined
    kept.usedAt = clock.now()
    // The least recently used comes first.
    known.delete(name)
    known.set(name, kept)
    return kept.packs
  }

  const forgetUnused = () => {
    timer = undefined
    for (const [name, { usedAt }] of known) if (Math.abs(clock.now() - usedAt) >= KEPT_MS) forget(name)
    if (known.size > 0) startTimer()
  }
  const startTimer = () => {
    timer ??= setTimeout(forgetUnused, MINUTE_MS)
    timer.unref()
  }

  return {
    /** The sums of all figures of packed days, as they are now. What was kept of other sums is not used any more. */
    note(valid: readonly (PackedDays & { total: number })[]) {
      for (const { total, ...days } of valid) totals.set(daysOf(days), total)
    },

    async getOrRead(
      queries: readonly PacksQuery[],
      read: () => Promise<readonly FigurePack[]>,
    ): Promise<readonly FigurePack[]> {
      const units = queries.flatMap(unitsOf)
      const found = units.map(find)
      if (found.every((packs) => packs !== undefined)) return found.flat()
      const before = units.map(({ days }) => totals.get(days))
      const packs = await read()
      const byUnit = Map.groupBy(packs, nameOf)
      for (const [nth, { name }] of units.entries()) {
        const some = byUnit.get(name) ?? []
        const bytes = some.reduce((sum, pack) => sum + pack.bytes.byteLength, 0)
        forget(name)
        known.set(name, { total: before[nth], packs: some, size: bytes, usedAt: clock.now() })
        size += bytes
      }
      for (const oldest of known.keys()) {
        if (size <= BYTES_MAX) break
        forget(oldest)
      }
      startTimer()
      return packs
    },
  }
}

/** What is kept or forgotten together. */
interface Unit {
  name: string
  days: string
}

const daysOf = ({ span, start }: PackedDays) => `${span} ${start}`
const nameOf = ({ kind, part, ...days }: Pick<FigurePack, 'kind' | 'span' | 'start' | 'part'>) =>
  `${kind} ${part} ${daysOf(days)}`

const unitsOf = ({ kind, days, parts }: PacksQuery): Unit[] =>
  days.flatMap((one) => parts.map((part) => ({ name: nameOf({ kind, part, ...one }), days: daysOf(one) })))
