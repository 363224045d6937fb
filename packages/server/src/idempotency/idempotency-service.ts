import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Db } from '../database/client.ts'
import { lookupHash } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'
import { idempotencyRepository } from './idempotency-repository.ts'

export type IdempotencyService = ReturnType<typeof createIdempotency>

/** How long a key returns the stored answer. */
const KEPT_SEC = 24 * 60 * 60

/** A creation takes far less; without an answer by then it was interrupted. */
const RUNS_AT_MOST_SEC = 30

/** How long a duplicate waits for the answer of the first, and how often it polls. */
const WAIT_MS = 10_000
const POLL_MS = 25

const KEY = /^[\x21-\x7e]{1,255}$/

interface CreationRequest {
  /** The caller: the same key of two callers is two keys. */
  actorId: number | undefined
  endpoint: { method: string; path: string }
  key: string
  /** The validated input. */
  input: unknown
}

/**
 * Carries out a creation once per key. A second request with the same key gets the first one's answer, on whichever node it
 * arrives. A refused creation frees the key; an internal error keeps it, because the outcome is unknown.
 */
export const createIdempotency = ({ db, clock, vault }: { db: Db; clock: Clock; vault: Vault }) => {
  const repository = idempotencyRepository(db)

  const applyPlanned = async (id: string, run: () => Promise<string>) => {
    let answer: string
    try {
      answer = await run()
    } catch (error) {
      await (error instanceof GatewayError ? repository.remove(id) : repository.breakOff(id))
      throw error
    }
    await repository.keepAnswer(id, vault.seal(answer, contextOf(id)))
    return { answer, replayed: false }
  }

  /** The answer of the first; undefined when its key has become free again. */
  const answerOfFirst = async (id: string, fingerprint: string, deadline: number) => {
    for (;;) {
      const first = await repository.find(id)
      if (first === undefined) return undefined
      if (vault.open(first.fingerprint, contextOf(id)) !== fingerprint) throw new GatewayError('idempotency.other_body')
      if (first.answer !== null) return vault.open(first.answer, contextOf(id))
      const running = first.running_until > seconds(clock) && performance.now() < deadline
      if (!running) throw new GatewayError('idempotency.unanswered')
      await Bun.sleep(POLL_MS)
    }
  }

  return {
    async once({ actorId, endpoint, key, input }: CreationRequest, run: () => Promise<string>) {
      if (!KEY.test(key)) throw new GatewayError('idempotency.bad_key')
      const id = lookupHash([actorId ?? 'visitor', endpoint.method, endpoint.path, key].join('\n'))
      const fingerprint = lookupHash(JSON.stringify(input))
      const deadline = performance.now() + WAIT_MS
      for (;;) {
        const now = seconds(clock)
        const claimed = await repository.claim({
          id,
          fingerprint: vault.seal(fingerprint, contextOf(id)),
          answer: null,
          running_until: now + RUNS_AT_MOST_SEC,
          created_at: now,
        })
        if (claimed) return applyPlanned(id, run)
        const answer = await answerOfFirst(id, fingerprint, deadline)
        if (answer !== undefined) return { answer, replayed: true }
      }
    },

    removeEnded: () => repository.removeBefore(seconds(clock) - KEPT_SEC),
  }
}

/** A value encrypted for one row cannot be decrypted in another. */
const contextOf = (id: string) => `idempotency:${id}`
