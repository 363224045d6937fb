import { z } from 'zod'

/** The part of a list's address that every list has: `?page=2&keyword=web`. The first page and no word are left out. */
export const listSearch = z.object({
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  keyword: z.string().optional().catch(undefined),
})

export type ListSearch = z.infer<typeof listSearch>

/** The server counts pages from 0. */
export const pageIndex = (search: ListSearch) => (search.page ?? 1) - 1
