import {
  Defaults,
  LogType,
  type Received,
  type Redemption,
  RedemptionStatus,
  type redemptions,
} from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, transact } from '../database/client.ts'
import { type AskedPage, pageWindow } from '../database/page-window.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { LogsService } from '../logs/logs-service.ts'
import { quotaText } from '../logs/quota-text.ts'
import type { OptionsService } from '../options/options-service.ts'
import { lookupHash, randomHex } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'
import { redemptionsRepository, type StoredRedemption } from './redemptions-repository.ts'

export type RedemptionsService = ReturnType<typeof createRedemptionsService>

interface Needs {
  db: Db
  clock: Clock
  vault: Vault
  ledger: Ledger
  logs: LogsService
  options: OptionsService
  audit: AuditService
}

type Creation = Received<typeof redemptions.create>['body']
type Edit = Received<typeof redemptions.update>['body']

export const createRedemptionsService = ({ db, clock, vault, ledger, logs, options, audit }: Needs) => {
  const wire = (row: StoredRedemption & { used_username?: string | null }): Redemption => ({
    ...row,
    key: vault.open(row.key_sealed, contextOf(row.key_hash)),
    used_user_id: row.used_user_id ?? 0,
    used_username: row.used_username ?? '',
  })

  return {
    async page({ keyword = '', status, p, page_size }: AskedPage & { keyword?: string; status: number }) {
      const filter = { keyword, hash: lookupHash(keyword.trim()), status }
      const { rows, total } = await redemptionsRepository(db).page(filter, pageWindow(p, page_size))
      return { rows: rows.map(wire), total }
    },

    async get(id: number) {
      const row = await redemptionsRepository(db).find(id)
      if (row === undefined) throw new GatewayError('redemption.not_found')
      return wire(row)
    },

    /** All codes or none. */
    create: (by: By, fields: Creation) =>
      transact(db, async (tx) => {
        const quota = fields.quota ?? Defaults.redemptionQuota
        const keys = Array.from({ length: fields.count ?? Defaults.redemptionCount }, () => randomHex(16))
        await redemptionsRepository(tx).insert(
          keys.map((key) => ({
            user_id: by.actor.id,
            name: fields.name,
            key_hash: lookupHash(key),
            key_sealed: vault.seal(key, contextOf(lookupHash(key))),
            status: RedemptionStatus.unused,
            quota,
            created_time: seconds(clock),
            redeemed_time: 0,
          })),
        )
        const after = { name: fields.name, quota, count: keys.length }
        await audit.record(tx, by, { action: 'redemption.create', target: 'redemption', after })
        return keys
      }),

    update: (by: By, edit: Edit, statusOnly: boolean) =>
      transact(db, async (tx) => {
        const repository = redemptionsRepository(tx)
        const before = await repository.lock(edit.id)
        if (before === undefined) throw new GatewayError('redemption.not_found')
        const columns = statusOnly
          ? { status: settable(edit.status) }
          : { name: edit.name ?? before.name, quota: edit.quota ?? before.quota }
        const after = await repository.updateUnused(edit.id, columns)
        if (after === undefined) throw new GatewayError('redemption.edit_used')
        await audit.record(tx, by, {
          action: 'redemption.update',
          target: `redemption:${edit.id}`,
          before: facts(before),
          after: facts(after),
        })
        return wire(after)
      }),

    remove: (by: By, id: number) =>
      transact(db, async (tx) => {
        const repository = redemptionsRepository(tx)
        const before = await repository.lock(id)
        if (before === undefined) throw new GatewayError('redemption.not_found')
        await repository.remove(id)
        await audit.record(tx, by, { action: 'redemption.remove', target: `redemption:${id}`, before: facts(before) })
      }),

    /** Exactly one caller wins a code, whatever the concurrency; credit and mark are one transaction. */
    redeem: ({ actor, requestId }: Pick<By, 'actor' | 'requestId'>, key: string) =>
      transact(db, async (tx) => {
        const hash = lookupHash(key)
        const claimed = await redemptionsRepository(tx).claim(hash, actor.id, seconds(clock))
        if (claimed === undefined) throw await whyNot(tx, hash)
        await ledger.post(tx, { kind: 'redeem', ref: String(claimed.id), userId: actor.id, delta: claimed.quota })
        const { DisplayInCurrencyEnabled: inCurrency, QuotaPerUnit: perUnit } = options.values()
        const amount = quotaText(claimed.quota, { inCurrency, perUnit })
        await logs.note(tx, {
          user: actor,
          type: LogType.topUp,
          quota: claimed.quota,
          requestId,
          content: { zh: `通过兑换码充值 ${amount.zh}`, en: `Topped up ${amount.en} with a redemption code` },
        })
        return claimed.quota
      }),
  }
}

/** What a sealed code is bound to. */
export function contextOf(hash: string) {
  return `redemption:${hash}`
}

function settable(status: number | undefined) {
  if (status === RedemptionStatus.unused || status === RedemptionStatus.disabled) return status
  throw new GatewayError('redemption.bad_status')
}

async function whyNot(db: Db, hash: string) {
  const row = await redemptionsRepository(db).findByHash(hash)
  if (row === undefined) return new GatewayError('redemption.invalid')
  return new GatewayError(row.status === RedemptionStatus.disabled ? 'redemption.disabled' : 'redemption.used')
}

function facts({ name, quota, status }: StoredRedemption) {
  return { name, quota, status }
}
