import {
  BULK_SHOWN_MAX,
  type channels,
  type ImportedRow,
  type ImportResult,
  type Received,
  TRANSFER_MAX,
} from '@tollgate/contract'
import type { AuditService, By, Change } from '../audit/audit-service.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import type { Vault } from '../security/vault.ts'
import { type Offer, orphaned } from './bulk-change.ts'
import { facts } from './channel-edit.ts'
import { type ChannelFile, readFile } from './channel-file.ts'
import { placeOfRow, readSecrets, sealSecrets } from './channel-secrets.ts'
import { channelsRepository, type StoredChannel } from './channels-repository.ts'
import { openSealing, type Sealer } from './file-passphrase.ts'
import { fillPool } from './key-pool.ts'
import { namesIn, type Plan, planImport } from './plan-import.ts'

export type ImportChannels = ReturnType<typeof createImport>

interface Needs {
  db: Db
  clock: Clock
  vault: Vault
  audit: AuditService
}

type Body = Received<typeof channels.importFile>['body']

/** Imports a file of channels in one transaction; a preview does the same without writing. */
export const createImport = ({ db, clock, vault, audit }: Needs) => {
  const plan = async (view: Db, file: ChannelFile, sealer: Sealer | undefined) => {
    const known = Map.groupBy(await channelsRepository(view).all(), nameKey)
    return planImport(file.rows, {
      alike: (name, type) => known.get(nameKey({ name, type })) ?? [],
      secretsOf(row) {
        const { readable, ...secrets } = readSecrets(vault, row)
        return readable ? secrets : undefined
      },
      sealer,
      now: seconds(clock),
    })
  }

  const create = async (tx: Tx, changed: number, { columns, secrets, keys }: Planned<'create'>): Promise<Change> => {
    const repository = channelsRepository(tx)
    const row = await repository.insert(columns)
    await repository.updateMany([row.id], { ...sealSecrets(vault, placeOfRow(row), secrets), changed })
    await fillPool(tx, vault, row, { keys, at: seconds(clock) })
    return { action: 'channel.create', target: `channel:${row.id}`, after: facts(row, secrets) }
  }

  const change = async (tx: Tx, changed: number, planned: Planned<'change'>): Promise<Change> => {
    const { before, old, columns, place, secrets } = planned
    const sealed = sealSecrets(vault, place, secrets)
    await channelsRepository(tx).updateMany([before.id], { ...columns, ...sealed, changed })
    return {
      action: 'channel.update',
      target: `channel:${before.id}`,
      before: facts(before, old),
      after: facts({ ...before, ...columns }, secrets),
    }
  }

  const applyPlanned = async (tx: Tx, by: By, plans: readonly Plan[]) => {
    const changed = await channelsRepository(tx).nextChange()
    const changes: Change[] = []
    for (const one of plans) {
      if (one.action === 'create') changes.push(await create(tx, changed, one))
      if (one.action === 'change') changes.push(await change(tx, changed, one))
    }
    await audit.recordMany(tx, by, changes)
  }

  return async (by: By, { content, passphrase, preview }: Body): Promise<ImportResult> => {
    const file = readFile(content)
    if (file.rows.length === 0) throw new GatewayError('channel.file_empty')
    if (file.rows.length > TRANSFER_MAX) throw new GatewayError('channel.file_too_many', { max: TRANSFER_MAX })
    const sealer = file.sealing === undefined ? undefined : await openSealing(passphrase, file.sealing)
    if (preview) return resultOf(await plan(db, file, sealer), await channelsRepository(db).enabledOffers())
    return transact(db, async (tx) => {
      const names = namesIn(file.rows)
      const meant = (await channelsRepository(tx).all()).filter(({ name }) => names.has(name))
      // Locked until the end, so that the plan stays valid.
      await channelsRepository(tx).lockMany(meant.map(({ id }) => id))
      const plans = await plan(tx, file, sealer)
      const offers = await channelsRepository(tx).enabledOffers()
      await applyPlanned(tx, by, plans)
      return resultOf(plans, offers)
    })
  }
}

type Planned<Action extends Plan['action']> = Extract<Plan, { action: Action | 'keep' }>

const nameKey = ({ name, type }: Pick<StoredChannel, 'name' | 'type'>) => `${type} ${name}`

/** What channels that the file changes no longer offer, and no other channel does, the new ones included. */
function lostBy(plans: readonly Plan[], offers: readonly Offer[]) {
  const changes = plans.flatMap((one) => (one.action === 'change' ? [one] : []))
  const created = plans.flatMap((one) => (one.action === 'create' && one.columns.status === 1 ? [one.columns] : []))
  const others = [...offers, ...created.map(({ group, models }, number) => ({ id: -1 - number, group, models }))]
  return orphaned(
    changes.map(({ before, columns }) => ({ before, after: { ...before, ...columns } })),
    others,
  )
}

function resultOf(plans: readonly Plan[], offers: readonly Offer[]): ImportResult {
  const lost = lostBy(plans, offers)
  const count = (action: Plan['action']) => plans.filter((plan) => plan.action === action).length
  return {
    created: count('create'),
    changed: count('change'),
    kept: count('keep'),
    refused: count('refuse'),
    without_key: plans.filter((plan) => plan.action !== 'refuse' && plan.withoutKey).length,
    rows: plans.map(shown),
    orphaned: lost.slice(0, BULK_SHOWN_MAX),
    orphaned_count: lost.length,
  }
}

function shown(plan: Plan): ImportedRow {
  const { row, name, action } = plan
  const bare = { row, name, action, id: 0, fields: [], without_key: false, without_headers: [], reason: null }
  if (plan.action === 'create') return { ...bare, without_key: plan.withoutKey, without_headers: plan.lostHeaders }
  if (plan.action === 'refuse') return { ...bare, reason: { zh: plan.error.in('zh'), en: plan.error.in('en') } }
  return { ...bare, id: plan.before.id, fields: plan.fields, without_key: plan.withoutKey }
}
