import { type Clock, seconds } from '../common/clock.ts'
import type { Db } from '../database/client.ts'
import { lookupHash } from '../security/random.ts'
import { mailCodesRepository } from './mail-codes-repository.ts'

export type MailCodePurpose = 'verify' | 'reset'

export type MailCodes = ReturnType<typeof createMailCodes>

/**
 * A code of six digits is guessed blindly once in 200,000 codes. The token of a link cannot be guessed, and few attempts would let a stranger
 * who knows the address use up the owner's link.
 */
const TRIES_MAX: Record<MailCodePurpose, number> = { verify: 5, reset: 1_000_000 }

/** Codes sent by mail: one live code per purpose and address, stored as a hash, used once. */
export const createMailCodes = ({ db, clock }: { db: Db; clock: Clock }) => ({
  async issue(purpose: MailCodePurpose, email: string, code: string, validSec: number) {
    const now = seconds(clock)
    const row = { purpose, email, code_hash: hashOf(purpose, email, code), tries: 0 }
    await mailCodesRepository(db).replace({ ...row, created_at: now, expires_at: now + validSec })
  },

  /** True once for the right code. Every attempt counts, also concurrent ones. */
  async use(on: Db, purpose: MailCodePurpose, email: string, code: string) {
    const repository = mailCodesRepository(on)
    const row = await repository.countTry(purpose, email, TRIES_MAX[purpose], seconds(clock))
    if (row === undefined || row.code_hash !== hashOf(purpose, email, code)) return false
    return repository.consume(purpose, email, row.code_hash)
  },

  removeEnded: () => mailCodesRepository(db).removeExpired(seconds(clock)),
})

/** With purpose and address inside, equal codes have different hashes. */
function hashOf(purpose: string, email: string, code: string) {
  return lookupHash(`${purpose}:${email}:${code.trim()}`)
}
