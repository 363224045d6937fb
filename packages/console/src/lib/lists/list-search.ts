import { z } from 'zod'

/** A text parameter of a URL; an absent or invalid one is dropped. */
export const word = z.string().optional().catch(undefined)

/** A number from 1 on. */
export const count = (max = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number().int().min(1).max(max).optional().catch(undefined)

/** A number from 0 on. */
export const countOrNone = z.coerce.number().int().min(0).optional().catch(undefined)

/** One of some words. */
export const oneOf = <const Words extends readonly string[]>(words: Words) => z.enum(words).optional().catch(undefined)

/** A parameter that is there or not. */
export const mark = oneOf(['true'])

const oneNumber = (...numbers: readonly number[]) =>
  z.coerce
    .number()
    .refine((number) => numbers.includes(number))
    .optional()
    .catch(undefined)

/** The filters of the lists. Another number would find nothing while the filter shows "any". The contract's own are too large for every page. */
export const numbers = {
  logType: oneNumber(0, 1, 2, 3, 4, 5, 6, 7),
  role: oneNumber(1, 10, 100),
  userStatus: oneNumber(1, 2),
  redemptionStatus: oneNumber(1, 2, 3),
}

/** The URL parameters of every list: `?page=2&keyword=web`. The first page and an empty search are left out. */
export const listSearch = z.object({
  page: count(),
  keyword: word,
})

export type ListSearch = z.infer<typeof listSearch>

/** The server counts pages from 0. */
export const pageIndex = ({ page = 1 }: Pick<ListSearch, 'page'>) => page - 1

/** The page as the URL has it; the first one is left out. */
export const pageParam = (index: number) => (index === 0 ? undefined : index + 1)
