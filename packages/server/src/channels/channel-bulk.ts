import { BULK_MAX, type channels, commaList, type DataOf, type Received } from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import type { Prices } from '../catalog/prices.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import type { Vault } from '../security/vault.ts'
import { checkChange, describe, type Planned, planned } from './bulk-change.ts'
import { proxyChangeOf, proxyFacts, refuseProxyChange, writeProxy } from './bulk-proxy.ts'
import { mappingOf } from './channel-fields.ts'
import type { ChannelFinder } from './channel-finder.ts'
import { channelsRepository } from './channels-repository.ts'

export type ChannelBulk = ReturnType<typeof createBulk>

interface Needs {
  db: Db
  vault: Vault
  audit: AuditService
  finder: Pick<ChannelFinder, 'wanted'>
  prices: Pick<Prices, 'unpriced'>
}

type Body = Received<typeof channels.bulk>['body']
type Result = DataOf<typeof channels.bulk>

/** Many channels are changed in one transaction: all of them or none. A preview is the same, up to the writing. */
export const createBulk = ({ db, vault, audit, finder, prices }: Needs) => {
  const idsOf = async ({ ids, filter }: Body) => {
    if ((ids === undefined) === (filter === undefined)) throw new GatewayError('channel.bulk_which')
    const wanted =
      filter === undefined
        ? [...new Set(ids)]
        : await channelsRepository(db).ids(await finder.wanted(filter), BULK_MAX + 1)
    if (wanted.length === 0) throw new GatewayError('channel.bulk_none')
    if (wanted.length > BULK_MAX) throw new GatewayError('channel.bulk_too_many', { max: BULK_MAX })
    return wanted
  }

  const plan = async (view: Db, ids: readonly number[], body: Body, rows = channelsRepository(view).some(ids)) => {
    const found = await rows
    if (found.length < ids.length) throw new GatewayError('channel.bulk_gone', { count: ids.length - found.length })
    const changes = planned(found, body.change, (row) => proxyChangeOf(vault, row, body.change))
    const described = describe(found, changes, await channelsRepository(view).enabledOffers())
    return { changes, result: { ...described, unpriced: unpricedOf(changes, prices) } }
  }

  return async (by: By, body: Body): Promise<Result> => {
    checkChange(body.change)
    refuseProxyChange(by, body.change)
    const ids = await idsOf(body)
    if (body.preview) return (await plan(db, ids, body)).result
    return transact(db, async (tx) => {
      const { changes, result } = await plan(tx, ids, body, channelsRepository(tx).lockMany(ids))
      await applyPlanned(tx, { vault, audit }, by, changes)
      return result
    })
  }
}

/** Models that a channel would offer and did not, and that have no price there. */
function unpricedOf(changes: readonly Planned[], prices: Pick<Prices, 'unpriced'>) {
  const found = changes.flatMap(({ before, after }) => {
    const had = new Set(commaList(before.models))
    const models = commaList(after?.models ?? '').filter((model) => !had.has(model))
    if (models.length === 0) return []
    return prices.unpriced({ type: before.type, models, mapping: mappingOf(after?.model_mapping ?? '') })
  })
  return [...new Set(found)].sort()
}

/** Writes the plan and its audit entries, in the transaction in which it was planned. */
export const applyPlanned = async (
  tx: Tx,
  { vault, audit }: Pick<Needs, 'vault' | 'audit'>,
  by: By,
  changes: readonly Planned[],
) => {
  const removed = changes.filter(({ after }) => after === undefined)
  if (removed.length > 0) await channelsRepository(tx).removeMany(removed.map(({ before }) => before.id))
  const changed = await channelsRepository(tx).nextChange()
  for (const [text, ids] of alike(changes)) {
    await channelsRepository(tx).updateMany(ids, { ...JSON.parse(text), changed })
  }
  for (const { before, proxy } of changes) {
    if (proxy !== undefined) await writeProxy(tx, vault, before, proxy)
  }
  await audit.recordMany(tx, by, changes.map(recorded))
}

function recorded({ before, after, proxy }: Planned) {
  const target = `channel:${before.id}`
  const { name, type, status, group, priority, weight, tag, models, model_mapping } = before
  const columns = { status, group, priority, weight, tag, models, model_mapping }
  if (after === undefined) return { action: 'channel.remove', target, before: { name, type, ...columns } }
  const proxyChange = proxy === undefined ? undefined : proxyFacts(before, proxy)
  return {
    action: 'channel.update',
    target,
    before: { ...columns, ...proxyChange?.before },
    after: { ...after, ...proxyChange?.after },
  }
}

/** Channels that get the same columns, keyed by these as JSON: one statement writes all of them. */
function alike(changes: readonly Planned[]) {
  const groups = new Map<string, number[]>()
  for (const { before, after } of changes) {
    if (after === undefined) continue
    const reason = after.status === before.status ? {} : { status_reason: '', status_reason_en: '' }
    const text = JSON.stringify({ ...after, ...reason })
    const ids = groups.get(text) ?? []
    ids.push(before.id)
    groups.set(text, ids)
  }
  return groups
}
