import {
  ChannelStatus,
  type ModelList,
  type ModelListChange,
  type ModelListDetail,
  type ModelListNews,
} from '@tollgate/contract'
import type { By } from '../audit/audit-service.ts'
import type { Prices } from '../catalog/prices.ts'
import type { ChangeModels } from '../channels/change-models.ts'
import type { ChannelsService } from '../channels/channels-service.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, transact } from '../database/client.ts'
import type { pageWindow } from '../database/page-window.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { CheckModelList } from './check-model-list.ts'
import { currentFindings, upstreamOf } from './comparison.ts'
import { modelListsRepository, type StoredList } from './model-lists-repository.ts'
import { findingsIn } from './stored-findings.ts'

export type ModelListsService = ReturnType<typeof createModelListsService>

interface Needs {
  db: Db
  channels: Pick<ChannelsService, 'offers'>
  changeModels: ChangeModels
  checkModelList: CheckModelList
  prices: Prices
  options: OptionsService
}

type Offer = Awaited<ReturnType<ChannelsService['offers']>>[number]
type NewsRow = Omit<StoredList, 'listed' | 'doubted'>

/** Changes in vendors' model lists, and the decisions on them. */
export const createModelListsService = ({ db, channels, changeModels, checkModelList, prices, options }: Needs) => {
  const pricedIn = (offer: Offer, models: readonly string[]) => {
    const unpriced = new Set(prices.unpriced({ type: offer.type, models, mapping: offer.mapping }))
    return models.map((model) => ({ model, priced: !unpriced.has(model) }))
  }

  /** Enabled channels with changes, in their current state. */
  const findings = async (ids?: readonly number[]) => {
    const rows = await modelListsRepository(db).news(ids)
    if (rows.length === 0) return []
    const offers = new Map(
      (
        await channels.offers(
          db,
          rows.map(({ channel_id }) => channel_id),
        )
      ).map((offer) => [offer.id, offer]),
    )
    return rows.flatMap((row) => {
      const offer = offers.get(row.channel_id)
      if (offer?.status !== ChannelStatus.enabled || offer.place !== row.place) return []
      const found = currentFindings(offer, findingsIn(row))
      return found.added.length + found.missing.length === 0 && row.error === '' ? [] : [{ offer, row, found }]
    })
  }

  const listOf = (
    offer: Offer,
    row: NewsRow | undefined,
    found: Pick<ReturnType<typeof currentFindings>, 'added' | 'missing'>,
  ): ModelList => ({
    ...{ id: offer.id, name: offer.name, type: offer.type },
    looked_at: row?.looked_at ?? 0,
    listed_at: row?.listed_at ?? 0,
    error: errorOf(row),
    added: pricedIn(offer, found.added),
    missing: found.missing,
  })

  const get = async (id: number): Promise<ModelListDetail> => {
    const [offer] = await channels.offers(db, [id])
    if (offer === undefined) throw new GatewayError('channel.not_found')
    const stored = await modelListsRepository(db).find(id)
    const row = stored?.place === offer.place ? stored : undefined
    const found = row === undefined ? NOTHING : currentFindings(offer, findingsIn(row))
    return { ...listOf(offer, row, found), others: pricedIn(offer, found.others), kept: found.kept }
  }

  /** An ignored new model counts as any other that is not offered; an ignored missing one is kept until it is listed again. */
  const ignore = (changes: readonly ModelListChange[]) =>
    transact(db, async (tx) => {
      const byId = new Map(changes.map((change) => [change.id, change]))
      const ids = [...byId.keys()]
      const rows = new Map((await modelListsRepository(tx).lock(ids)).map((row) => [row.channel_id, row]))
      for (const offer of await channels.offers(tx, ids)) {
        const row = rows.get(offer.id)
        const change = byId.get(offer.id)
        if (row === undefined || change === undefined) continue
        const { added, missing, kept } = findingsIn(row)
        const ignored = new Set(change.added)
        const gone = new Set(change.missing.map((model) => upstreamOf(offer, model)))
        await modelListsRepository(tx).decide(offer.id, {
          added: JSON.stringify(added.filter((model) => !ignored.has(model))),
          missing: JSON.stringify(missing.filter((model) => !gone.has(model))),
          kept: JSON.stringify([...kept, ...missing.filter((model) => gone.has(model))]),
        })
      }
    })

  return {
    get,
    ignore,

    async page({ limit, offset }: ReturnType<typeof pageWindow>) {
      const all = await findings()
      const rows = all.slice(offset, offset + limit).map(({ offer, row, found }) => listOf(offer, row, found))
      return { rows, total: all.length }
    },

    async check(id: number) {
      await checkModelList(id)
      return get(id)
    },

    async accept(by: By, changes: readonly ModelListChange[], preview: boolean) {
      const wanted = changes.map(({ id, added, missing }) => ({ id, add: added, remove: missing }))
      const result = await changeModels(by, wanted, preview)
      // Decided on: it is not new again when it is removed from the channel later.
      if (!preview) await ignore(changes.map((change) => ({ ...change, missing: [] })))
      const offers = await channels.offers(
        db,
        changes.map(({ id }) => id),
      )
      const added = new Map(changes.map((change) => [change.id, change.added]))
      const unpriced = new Map<string, number[]>()
      for (const offer of offers) {
        for (const { model, priced } of pricedIn(offer, added.get(offer.id) ?? [])) {
          if (!priced) unpriced.set(model, [...(unpriced.get(model) ?? []), offer.id])
        }
      }
      return { ...result, unpriced: [...unpriced].map(([model, ids]) => ({ model, channels: ids })) }
    },

    /** Counts for lists of channels. Without the daily check nothing is queried. */
    async news(ids?: readonly number[]): Promise<ReadonlyMap<number, ModelListNews>> {
      if (!options.values().ModelListCheckEnabled) return new Map()
      const found = await findings(ids)
      return new Map(
        found.map(({ offer, row, found: { added, missing } }) => [
          offer.id,
          { added: added.length, missing: missing.length, error: errorOf(row) },
        ]),
      )
    },
  }
}

const NOTHING = { added: [], missing: [], kept: [], others: [] }

const errorOf = (row: Pick<NewsRow, 'error' | 'error_en'> | undefined) =>
  row === undefined || row.error === '' ? null : { zh: row.error, en: row.error_en }
