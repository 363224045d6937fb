import type { Clock } from '../clock.ts'

/** What one caller was shown lately. */
export interface CallerItems {
  remember(items: readonly { id: string }[]): void
  recall(id: string): unknown
}

const KEPT_MS = 60 * 60 * 1000
const CHARACTERS_MAX = 16 * 1024 * 1024
const SHARES = 4

/**
 * Answers that were translated, and their items, for clients that name them in the next call instead of sending them
 * again. The Vercel AI SDK does so by default. The memory is this node's alone, short, and bounded; what it has lost is
 * refused by name, and the client may send it whole. What is so large that it would drive out the others' is not kept.
 */
export const createRecentItems = (clock: Clock, charactersMax = CHARACTERS_MAX) => {
  /** In the order of their time: the oldest come first. */
  const known = new Map<string, { text: string; until: number }>()
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

  return {
    /** Nobody can name another's items. */
    of: (userId: number): CallerItems => ({
      remember(items) {
        for (const item of items) {
          const text = JSON.stringify(item)
          forget(`${userId} ${item.id}`)
          if (text.length > charactersMax / SHARES) continue
          known.set(`${userId} ${item.id}`, { text, until: clock.now() + KEPT_MS })
          characters += text.length
        }
        makeRoom()
      },
      recall(id) {
        const found = known.get(`${userId} ${id}`)
        return found === undefined || found.until <= clock.now() ? undefined : JSON.parse(found.text)
      },
    }),
  }
}
