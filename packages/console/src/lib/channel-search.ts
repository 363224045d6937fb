import type { ChannelFilter } from '@tollgate/contract'
import { z } from 'zod'
import { count, listSearch, word } from './list-search.ts'

/** The address of the list, known to every page: it is small for that. What is left out leaves all channels in. */
export const channelSearch = listSearch.extend({
  status: count(3),
  type: count(),
  group: word,
  model: word,
  tag: word,
  failing: count(100),
  unpriced: z.literal('true').optional().catch(undefined),
})

export type ChannelSearch = z.infer<typeof channelSearch>

/** The filter that an address means, as the server takes it: what is not there is not sent. */
export const toFilter = ({ page: _page, ...search }: ChannelSearch): Partial<ChannelFilter> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

/** How many filters narrow the list, besides the words of the search. */
export const countFilters = ({ page: _page, keyword: _keyword, ...rest }: ChannelSearch) =>
  Object.values(rest).filter((value) => value !== undefined).length
