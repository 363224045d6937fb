import { z } from 'zod'
import { count, listSearch, oneOf } from './list-search.ts'

const words = z.coerce.string().optional().catch(undefined)

/** The URL parameters of the list of everybody's keys, known to every page and therefore small. */
export const userTokenSearch = listSearch.extend({
  owner: words,
  model: words,
  status: count(6),
  used: oneOf(['day', 'week', 'month', 'not_month', 'not_quarter']),
  order: oneOf(['accessed_time', 'used_quota']),
})

export type UserTokenSearch = z.infer<typeof userTokenSearch>
export type LastUse = NonNullable<UserTokenSearch['used']>
