import type { ChannelFilter } from '@tollgate/contract'
import type { pageWindow } from '../database/page-window.ts'
import type { Attention } from './channel-attention.ts'
import type { ChannelsService } from './channels-service.ts'
import type { ModelLists } from './model-list-news.ts'

export type ChannelFinder = ReturnType<typeof createFinder>

interface Needs {
  channels: Pick<ChannelsService, 'page' | 'states' | 'withoutKey'>
  attention: Pick<Attention, 'failing'>
  modelLists: ModelLists
}

/** Which channels match a filter. Failure rates, missing prices and missing keys are in no column; the query gets ids for them. */
export const createFinder = ({ channels, attention, modelLists }: Needs) => {
  const unpriced = async () =>
    (await channels.states()).filter(({ unpriced: models }) => models.length > 0).map(({ id }) => id)

  const wanted = async (filter: ChannelFilter) => {
    const failing = filter.failing > 0 ? await attention.failing(filter.failing) : undefined
    const withoutPrice = filter.unpriced === 'true' ? await unpriced() : undefined
    const withoutKey = filter.without_key === 'true' ? await channels.withoutKey() : undefined
    return { filter, among: both(both(failing, withoutPrice), withoutKey) }
  }

  return {
    wanted,

    async page(filter: ChannelFilter, window: ReturnType<typeof pageWindow>) {
      const { rows, total } = await channels.page(await wanted(filter), window)
      const news = await modelLists.news(rows.map(({ id }) => id))
      return { rows: rows.map((row) => ({ ...row, model_list: news.get(row.id) ?? null })), total }
    },
  }
}

function both(some: readonly number[] | undefined, others: readonly number[] | undefined) {
  if (some === undefined || others === undefined) return some ?? others
  const known = new Set(others)
  return some.filter((id) => known.has(id))
}
