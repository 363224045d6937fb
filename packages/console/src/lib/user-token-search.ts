import { z } from 'zod'
import { listSearch } from './list-search.ts'

const words = z.coerce.string().optional().catch(undefined)

/** The address of the list of everybody's keys, known to every page: it is small for that. */
export const userTokenSearch = listSearch.extend({
  owner: words,
  model: words,
  status: z.coerce.number().int().min(1).max(5).optional().catch(undefined),
  used: z.enum(['day', 'week', 'month', 'not_month', 'not_quarter']).optional().catch(undefined),
  order: z.enum(['accessed_time', 'used_quota']).optional().catch(undefined),
})

export type UserTokenSearch = z.infer<typeof userTokenSearch>
export type LastUse = NonNullable<UserTokenSearch['used']>
