import type { Clock } from '../../common/clock.ts'

/** Items that one caller received recently, during one call. */
export interface CallerItems {
  remember(items: readonly { id: string }[]): void
  forget(ids: readonly string[]): Promise<unknown>
  /** Resolves when other nodes have the stored items, or cannot be reached. */
  shared(): Promise<unknown>
  recall(id: string): unknown
  /** Items stored only on other nodes. */
  recallElsewhere(id: string): Promise<unknown>
}

/** An item as JSON, and its expiry. */
export interface KeptItem {
  text: string
  until: number
}

/** Storage shared by the nodes. */
export interface SharedItems {
  keep(key: string, item: KeptItem, ms: number): Promise<unknown>
  find(key: string): Promise<KeptItem | undefined>
  forget(key: string): Promise<unknown>
}

interface Needs {
  clock: Clock
  /** Undefined when every node stores alone. */
  shared?: SharedItems | undefined
  charactersMax?: number
}

export type RecentItems = ReturnType<typeof createRecentItems>

const KEPT_MS = 60 * 60 * 1000
const CHARACTERS_MAX = 16 * 1024 * 1024
const SHARES = 4

/**
 * Translated answers and their items, for clients that refer to them in the next call instead of sending them again, as the Vercel
 * AI SDK does by default. The store is short-lived and bounded, and shared with other nodes if possible; a missing item is refused by
 * name, and the client may send it whole. Items so large that they would evict others are not stored.
 */
export const createRecentItems = ({ clock, shared, charactersMax = CHARACTERS_MAX }: Needs) => {
  /** Ordered by time, oldest first. */
  const known = new Map<string, KeptItem>()
  let characters = 0

  const forget = (key: string) => {
    characters -= known.get(key)?.text.length ?? 0
    known.delete(key)
  }

  const makeRoom = () => {
    for (const [key, { until }] of known) {
      if (characters <= charactersMax && until > clock.now()) return
      forget(key)
    }
  }

  const readable = (item: KeptItem | undefined): unknown =>
    item === undefined || item.until <= clock.now() ? undefined : JSON.parse(item.text)

  return {
    /** Nobody can refer to another user's items. */
    of(userId: number): CallerItems {
      const telling: Promise<unknown>[] = []
      return {
        remember(items) {
          for (const item of items) {
            const key = `${userId} ${item.id}`
            const kept = { text: JSON.stringify(item), until: clock.now() + KEPT_MS }
            forget(key)
            if (kept.text.length > charactersMax / SHARES) continue
            known.set(key, kept)
            characters += kept.text.length
            if (shared !== undefined) telling.push(shared.keep(key, kept, KEPT_MS))
          }
          makeRoom()
        },
        forget(ids) {
          const keys = ids.map((id) => `${userId} ${id}`)
          keys.forEach(forget)
          return Promise.all(keys.map((key) => shared?.forget(key)))
        },
        shared: () => Promise.all(telling),
        recall: (id) => readable(known.get(`${userId} ${id}`)),
        recallElsewhere: async (id) => readable(await shared?.find(`${userId} ${id}`)),
      }
    },
  }
}
