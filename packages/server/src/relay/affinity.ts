import type { Clock } from '../common/clock.ts'
import type { Call, CallBody } from './surfaces/call.ts'

export type Affinity = ReturnType<typeof createAffinity>

/** Vendors drop a cached prompt after some minutes, an hour at most. */
const KEPT_MS = 60 * 60_000
const KEPT_MAX = 20_000
/** How exactly the time of the last use is known: most calls of a conversation follow within seconds. */
const RENEW_MS = 30_000

/** Where a conversation's prompt is cached. Vendors keep caches per account, and so per key. */
export interface CachedAt {
  channel: number
  /** The key of the channel's pool; undefined without a pool. */
  key: number | undefined
}

/** Where conversations have their prompts cached, as far as this node knows. The least recently used are dropped. */
export const createAffinity = (clock: Clock, keptMax = KEPT_MAX) => {
  const kept = new Map<string, CachedAt & { at: number }>()
  return {
    cachedAt(conversation: string): CachedAt | undefined {
      const found = kept.get(conversation)
      return found !== undefined && Math.abs(clock.now() - found.at) < KEPT_MS ? found : undefined
    },

    keep(conversation: string, { channel, key }: CachedAt) {
      const now = clock.now()
      const known = kept.get(conversation)
      if (known?.channel === channel && known.key === key && Math.abs(now - known.at) < RENEW_MS) return
      // Inserted again it comes last, so that the first is always the least recently used.
      kept.delete(conversation)
      kept.set(conversation, { channel, key, at: now })
      if (kept.size <= keptMax) return
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    },
  }
}

/** Enough to distinguish conversations: agents' prompts are long and start alike. */
const BEGINNING_MAX = 65_536

/**
 * An id for the conversation of a call: the client's own, or else a hash of its beginning, which stays the same from turn to turn.
 * Undefined for calls that are not conversations.
 */
export const conversationOf = (userId: number, { model, agent, body }: Pick<Call, 'model' | 'agent' | 'body'>) => {
  const begins = agent?.id ?? beginningOf(body)
  return begins === undefined ? undefined : `${userId} ${model} ${Bun.hash(begins)}`
}

/** Everything up to the first user message: what follows is not part of the first turn. */
function beginningOf({ system, instructions, systemInstruction, messages, input, contents }: CallBody) {
  const turns = turnsIn(messages) ?? turnsIn(input) ?? turnsIn(contents)
  if (turns === undefined) return undefined
  let beginning = textOf(system) + textOf(instructions) + textOf(systemInstruction)
  for (const turn of turns) {
    const { role, content, parts } = Object(turn)
    beginning += `${role}\n${textOf(content ?? parts ?? turn)}`
    if (!NOT_USERS.has(role) || beginning.length > BEGINNING_MAX) break
  }
  return beginning.slice(0, BEGINNING_MAX)
}

const turnsIn = (list: unknown): unknown[] | undefined => (Array.isArray(list) && list.length > 0 ? list : undefined)

/** Nearly all texts are plain strings, which need no JSON. */
const textOf = (value: unknown) =>
  value === undefined ? '' : `${typeof value === 'string' ? value : JSON.stringify(value)}\n`

const NOT_USERS: ReadonlySet<unknown> = new Set(['system', 'developer'])
