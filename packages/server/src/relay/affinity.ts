import type { Clock } from '../common/clock.ts'
import type { Call, CallBody } from './surfaces/call.ts'

export type Affinity = ReturnType<typeof createAffinity>

/** Vendors forget a prompt after some minutes, an hour at the most. */
const KEPT_MS = 60 * 60_000
const KEPT_MAX = 20_000

/** Where a conversation's prompt is cached. Vendors keep what is cached apart for each account, and so for each key. */
export interface CachedAt {
  channel: number
  /** Of the channel's pool; undefined where it has none. */
  key: number | undefined
}

/** Where conversations have their prompts cached, as far as this node knows. What was not used for longest is forgotten. */
export const createAffinity = (clock: Clock, keptMax = KEPT_MAX) => {
  const kept = new Map<string, CachedAt & { at: number }>()
  return {
    cachedAt(conversation: string): CachedAt | undefined {
      const found = kept.get(conversation)
      return found !== undefined && Math.abs(clock.now() - found.at) < KEPT_MS ? found : undefined
    },

    keep(conversation: string, { channel, key }: CachedAt) {
      // Written anew it comes last, so that the first is always the one that was not used for longest.
      kept.delete(conversation)
      kept.set(conversation, { channel, key, at: clock.now() })
      if (kept.size <= keptMax) return
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    },
  }
}

/** Enough to tell conversations apart: prompts of agents are long, and alike at the beginning. */
const BEGINNING_MAX = 65_536

/**
 * A name for the conversation that a call belongs to: the one that its client gives it, or else what it begins with, which
 * stays the same from turn to turn. Undefined for what is no conversation.
 */
export const conversationOf = (userId: number, { model, agent, body }: Pick<Call, 'model' | 'agent' | 'body'>) => {
  const begins = agent?.id ?? beginningOf(body)
  return begins === undefined ? undefined : `${userId} ${model} ${Bun.hash(begins)}`
}

/** All up to the first question of the user: what comes behind it is not there in the first turn. */
function beginningOf({ system, instructions, systemInstruction, messages, input, contents }: CallBody) {
  const turns: unknown = [messages, input, contents].find((list) => Array.isArray(list) && list.length > 0)
  if (!Array.isArray(turns)) return undefined
  const question = turns.findIndex((turn) => !NOT_USERS.has(Object(turn).role))
  const beginning = [system, instructions, systemInstruction, ...turns.slice(0, question + 1)]
  return JSON.stringify(beginning).slice(0, BEGINNING_MAX)
}

const NOT_USERS: ReadonlySet<unknown> = new Set(['system', 'developer'])
