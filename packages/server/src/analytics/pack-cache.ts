import type { Clock } from '../common/clock.ts'
import type { Pack, PackedDays, PackKind, PacksQuery } from './packs-repository.ts'

const BYTES_MAX = 32_000_000
const MINUTE_MS = 60_000
const KEPT_MS = 5 * MINUTE_MS

interface Kept {
  /** Of the days when the packs were read. Undefined if they were not known to be packed. */
  mark: Mark | undefined
  packs: readonly Pack[]
  size: number
  usedAt: number
}

/** What equals that of the days as long as their packs are complete: a sum of figures, or a text. */
type Mark = number | string

export type PackCache = ReturnType<typeof createPackCache>

/**
 * Keeps packs for a few minutes: other questions about the same days read them too. Whoever opens the analytics asks several, and with
 * the packs at hand a new one is only summed up.
 */
export const createPackCache = (clock: Clock) => {
  const marks = new Map<string, Mark>()
  const known = new Map<string, Kept>()
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const forget = (name: string) => {
    size -= known.get(name)?.size ?? 0
    known.delete(name)
  }

  const find = ({ name, days }: Unit) => {
    const kept = known.get(name)
    if (kept === undefined || kept.mark !== marks.get(days)) return undefined
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
    /** The marks of packed days, as they are now. What was kept under other marks is not used any more. */
    note(of: PacksOf, valid: readonly (PackedDays & { mark: Mark })[]) {
      for (const { mark, ...days } of valid) marks.set(daysOf(of, days), mark)
    },

    async getOrRead(queries: readonly PacksQuery[], read: () => Promise<readonly Pack[]>): Promise<readonly Pack[]> {
      const units = queries.flatMap(unitsOf)
      const found = units.map(find)
      if (found.every((packs) => packs !== undefined)) return found.flat()
      const before = units.map(({ days }) => marks.get(days))
      const packs = await read()
      const byUnit = Map.groupBy(packs, nameOf)
      for (const [nth, { name }] of units.entries()) {
        const some = byUnit.get(name) ?? []
        const bytes = some.reduce((sum, pack) => sum + pack.bytes.byteLength, 0)
        forget(name)
        known.set(name, { mark: before[nth], packs: some, size: bytes, usedAt: clock.now() })
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

/** Figures and latencies of the same days change at different times. */
type PacksOf = 'figures' | 'latencies'

const familyOf = (kind: PackKind): PacksOf => (kind.startsWith('latencies') ? 'latencies' : 'figures')

const daysOf = (of: PacksOf, { span, start }: PackedDays) => `${of} ${span} ${start}`
const nameOf = ({ kind, part, ...days }: Pick<Pack, 'kind' | 'span' | 'start' | 'part'>) =>
  `${kind} ${part} ${days.span} ${days.start}`

const unitsOf = ({ kind, days, parts }: PacksQuery): Unit[] =>
  days.flatMap((one) =>
    parts.map((part) => ({ name: nameOf({ kind, part, ...one }), days: daysOf(familyOf(kind), one) })),
  )
