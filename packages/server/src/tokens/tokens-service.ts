import { commaList, NEVER_EXPIRES, type Received, type Token, TokenStatus, type tokens } from '@tollgate/contract'
import type { Actor } from '../common/actor.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import { setTokenLimit } from '../ledger/token-limit.ts'
import { keyLimits, rateLimitsText, storedRateLimits } from '../limits/stored-rate-limits.ts'
import type { RecordingsService } from '../recordings/recordings-service.ts'
import {
  recordingSettingsText,
  storedRecordingRequest,
  storedRecordingSettings,
} from '../recordings/stored-settings.ts'
import { lookupHash, randomText } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'
import { allTokensRepository } from './all-tokens-repository.ts'
import type { ActivityOf } from './key-activity.ts'
import { cleanSubnets } from './subnets.ts'
import { currentStatus, isExhausted, isExpired, statusAfterEdit } from './token-status.ts'
import { type StoredToken, type TokenOrder, tokensRepository } from './tokens-repository.ts'

export type TokensService = ReturnType<typeof createTokensService>

/** What a call needs of a key and its owner. */
export type KeyFacts = NonNullable<Awaited<ReturnType<ReturnType<typeof tokensRepository>['factsByHash']>>>

/** A key that must not be used any more. */
export type RevokedKey = Awaited<ReturnType<ReturnType<typeof tokensRepository>['revoked']>>[number]

type Creation = Received<typeof tokens.create>['body']
type Edit = Received<typeof tokens.update>['body']

const KEY_LENGTH = 48
const TOKENS_MAX = 1000

interface Needs {
  db: Db
  clock: Clock
  vault: Vault
  activityOf: ActivityOf
  recordings: Pick<RecordingsService, 'removeOfToken'>
}

/** The API keys of users. Every method acts on the tokens of one user. */
export const createTokensService = ({ db, clock, vault, activityOf, recordings }: Needs) => {
  const create = async (tx: Tx, userId: number, fields: Creation) => {
    const repository = tokensRepository(tx)
    if ((await repository.countOf(userId)) >= TOKENS_MAX) throw new GatewayError('token.too_many', { max: TOKENS_MAX })
    const key = randomText(KEY_LENGTH)
    const now = seconds(clock)
    const hash = lookupHash(key)
    const { id } = await repository.insert({
      user_id: userId,
      name: fields.name,
      key_hash: hash,
      key_sealed: vault.seal(key, contextOf(hash)),
      status: TokenStatus.enabled,
      created_time: now,
      accessed_time: now,
      expired_time: expiryOf(fields.expired_time),
      models: commaList(fields.models ?? '').join(','),
      subnet: cleanSubnets(fields.subnet ?? ''),
      rate_limits: rateLimitsText(fields.rate_limits ?? {}),
      fallback: fields.fallback === false ? 0 : 1,
      recording: recordingSettingsText(fields.recording ?? null),
      deleted_at: null,
    })
    await setTokenLimit(tx, {
      id,
      unlimited: fields.unlimited_quota,
      remain: fields.remain_quota ?? 0,
      base: undefined,
    })
    return id
  }

  const found = async (tx: Db, id: number, userId: number) => {
    const row = await tokensRepository(tx).find({ id, userId })
    if (row === undefined) throw new GatewayError('token.not_found')
    return row
  }

  const wire = (row: StoredToken): Token => ({
    ...row,
    key: vault.open(row.key_sealed, contextOf(row.key_hash)),
    status: currentStatus(row, seconds(clock)),
    unlimited_quota: row.unlimited_quota === 1,
    rate_limits: storedRateLimits(row.rate_limits),
    admin_rate_limits: storedRateLimits(row.admin_rate_limits),
    fallback: row.fallback === 1,
    recording: storedRecordingSettings(row.recording),
    recording_request: storedRecordingRequest(row.recording_request),
    blocked: row.blocked_by !== 0,
  })

  return {
    async page(actor: Actor, query: { keyword?: string; p?: number | undefined; order: TokenOrder }) {
      const { rows, total } = await tokensRepository(db).page({
        userId: actor.id,
        keyword: query.keyword ?? '',
        page: query.p,
        order: query.order,
      })
      return { rows: rows.map(wire), total }
    },

    /** For those ids that are the actor's. */
    async activity(actor: Actor, { token_ids, zone }: { token_ids: readonly number[]; zone: string }) {
      return activityOf(await tokensRepository(db).named(actor.id, token_ids), zone)
    },

    factsByHash: (hash: string) => tokensRepository(db).factsByHash(hash),

    revoked: (ids: readonly number[]) => tokensRepository(db).revoked(ids),

    balances: (id: number) => tokensRepository(db).balances(id),

    /** The newest of a user's tokens that have rate limits. */
    async limited(userId: number, max: number) {
      const rows = await tokensRepository(db).limited(userId, max)
      return rows.map(({ id, name, ...limits }) => ({ id, name, rate_limits: keyLimits(limits) }))
    },

    get: async (actor: Actor, id: number) => wire(await found(db, id, actor.id)),

    create: (actor: Actor, fields: Creation) =>
      transact(db, async (tx) => wire(await found(tx, await create(tx, actor.id, fields), actor.id))),

    /** The token of every new account. */
    createDefault: (tx: Tx, userId: number) =>
      create(tx, userId, { name: 'default', expired_time: NEVER_EXPIRES, remain_quota: 0, unlimited_quota: true }),

    async update(actor: Actor, edit: Edit) {
      const token = await transact(db, async (tx) => {
        const { id } = edit
        await found(tx, id, actor.id)
        await setTokenLimit(tx, {
          id,
          unlimited: edit.unlimited_quota,
          remain: amountOf(edit.remain_quota),
          base: edit.remain_quota_base,
        })
        await tokensRepository(tx).update(
          { id, userId: actor.id },
          {
            ...(edit.expired_time === undefined ? {} : { expired_time: expiryOf(edit.expired_time) }),
            ...(edit.name === undefined ? {} : { name: edit.name }),
            ...(edit.models == null ? {} : { models: commaList(edit.models).join(',') }),
            ...(edit.subnet == null ? {} : { subnet: cleanSubnets(edit.subnet) }),
            ...(edit.rate_limits == null ? {} : { rate_limits: rateLimitsText(edit.rate_limits) }),
            ...(edit.fallback === undefined ? {} : { fallback: edit.fallback ? 1 : 0 }),
            ...(edit.recording === undefined ? {} : { recording: recordingSettingsText(edit.recording) }),
          },
        )
        const after = await found(tx, id, actor.id)
        const status = statusAfterEdit(after, seconds(clock))
        await tokensRepository(tx).update({ id, userId: actor.id }, { status })
        return wire({ ...after, status })
      })
      if (edit.delete_recordings) await recordings.removeOfToken(edit.id)
      return token
    },

    setStatus: (actor: Actor, id: number, status: number | undefined) =>
      transact(db, async (tx) => {
        // An administrator may be disabling it at the same time.
        await allTokensRepository(tx).lock(id)
        const row = await found(tx, id, actor.id)
        if (status !== TokenStatus.enabled && status !== TokenStatus.disabled)
          throw new GatewayError('token.bad_status')
        if (row.blocked_by !== 0) throw new GatewayError('token.blocked', { reason: row.blocked_reason })
        if (status === TokenStatus.enabled) refuseUnusable(row, seconds(clock))
        await tokensRepository(tx).update({ id, userId: actor.id }, { status })
        return wire({ ...row, status })
      }),

    async remove(actor: Actor, id: number) {
      if (!(await tokensRepository(db).remove({ id, userId: actor.id }, seconds(clock)))) {
        throw new GatewayError('token.not_found')
      }
      await recordings.removeOfToken(id)
    },
  }
}

/** What a sealed key is bound to. */
export function contextOf(hash: string) {
  return `token:${hash}`
}

/** 0 never means a time. */
function expiryOf(time: number) {
  return time === 0 ? NEVER_EXPIRES : time
}

/**
 * A negative amount is never meant: older clients show -1 for "unlimited", and send back a token whose last call exceeded its quota
 * as they received it.
 */
function amountOf(remain: number | undefined) {
  return remain === undefined || remain < 0 ? undefined : remain
}

function refuseUnusable(row: StoredToken, now: number) {
  if (isExpired(row, now)) throw new GatewayError('token.still_expired')
  if (isExhausted(row)) throw new GatewayError('token.still_exhausted')
}
