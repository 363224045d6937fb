import type { ChannelFilter } from '@tollgate/contract'
import type { z } from 'zod'
import { count, listSearch, mark, word } from './list-search.ts'

/** The URL parameters of the list, known to every page and therefore small. Absent means no filter. */
export const channelSearch = listSearch.extend({
  status: count(3),
  type: count(),
  group: word,
  model: word,
  tag: word,
  failing: count(100),
  test_failed: mark,
  unpriced: mark,
  without_key: mark,
})

export type ChannelSearch = z.infer<typeof channelSearch>

/** The filter of a URL as the server takes it: absent values are not sent. */
export const toFilter = ({ page: _page, ...search }: ChannelSearch): Partial<ChannelFilter> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

/** How many filters are set, besides the search text. */
export const countFilters = ({ page: _page, keyword: _keyword, ...rest }: ChannelSearch) =>
  Object.values(rest).filter((value) => value !== undefined).length
