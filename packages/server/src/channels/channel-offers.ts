import { type channels, commaList, groupsOf, keyPlace, type Received } from '@tollgate/contract'
import type { Prices } from '../catalog/prices.ts'
import type { Db } from '../database/client.ts'
import { orphaned } from './bulk-change.ts'
import type { Edit } from './channel-edit.ts'
import { cleanMapping, mappingOf } from './channel-fields.ts'
import { channelsRepository, type StoredChannel } from './channels-repository.ts'
import { foundChannel } from './stored-channel.ts'

/** Which models the channels offer, to whom, and which of them have no price. */
export const createChannelOffers = ({ db, prices }: { db: Db; prices: Prices }) => ({
  findUnpriced: ({ type, models, model_mapping }: Received<typeof channels.findUnpriced>['body']) =>
    prices.unpriced({ type, models, mapping: mappingOf(cleanMapping(model_mapping)) }),

  /** All channels, with the columns that describe their state. */
  async states() {
    // Of many channels, most offer the same as others.
    const known = new Map<string, string[]>()
    const unpricedOf = ({ type, models, model_mapping }: Pick<StoredChannel, 'type' | 'models' | 'model_mapping'>) => {
      const offer = JSON.stringify([type, models, model_mapping])
      const unpriced =
        known.get(offer) ?? prices.unpriced({ type, models: commaList(models), mapping: mappingOf(model_mapping) })
      known.set(offer, unpriced)
      return unpriced
    }
    const rows = await channelsRepository(db).states()
    return rows.map(({ models, model_mapping, ...row }) => ({
      ...row,
      unpriced: unpricedOf({ type: row.type, models, model_mapping }),
    }))
  },

  /** What channels offer, by which names, and where their vendors are: all of them, or some. */
  async offers(view: Db, ids?: readonly number[]) {
    const rows = await channelsRepository(view).offers(ids)
    return rows.map(({ id, name, type, status, models, model_mapping, base_url, config }) => ({
      ...{ id, name, type, status },
      models: commaList(models),
      mapping: mappingOf(model_mapping),
      place: JSON.stringify(keyPlace({ type, base_url, config: JSON.parse(config) })),
    }))
  },

  /** Models of a group that no enabled channel would offer any more if this one were changed so. */
  async orphanedBy(id: number, { status, group, models }: Pick<Edit, 'status' | 'group' | 'models'>) {
    const before = await foundChannel(db, id)
    const { status: was, group: groups, models: offered } = before
    const after = { ...before, status: status ?? was, group: group ?? groups, models: models ?? offered }
    return orphaned([{ before, after }], await channelsRepository(db).enabledOffers())
  },

  /** The models that enabled channels offer to any of the groups. */
  async modelsFor(groupText: string) {
    const groups = groupsOf(groupText)
    const offers = await channelsRepository(db).enabledOffers()
    const offered = offers.filter(({ group }) => groupsOf(group).some((name) => groups.includes(name)))
    return [...new Set(offered.flatMap(({ models }) => commaList(models)))].sort()
  },
})
