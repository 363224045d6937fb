import { z } from 'zod'
import { LIST_PAGE_MAX, Limits, PAGE_SIZE } from './limits.ts'

/*
 * Building blocks of the contract. A custom error is a code of the server's catalogue, not a sentence, so that the
 * answer can be given in the caller's language.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what this refuses.
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/

/** One line of visible text. */
export const line = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !CONTROL.test(text), { error: 'input.control_characters' })

export const id = z.int().min(1)

/**
 * What the form showed of the members that it changes, when it was opened. With it, a value that somebody else has saved since is not
 * overwritten.
 */
export const base = z.record(z.string().max(64), z.unknown()).optional()

/** An id in a path, where everything is a text. */
export const byId = z.object({ id: z.coerce.number().int().min(1) })

/** Unix seconds as a client sends them in a query: absent, empty or 0 mean "no bound". */
export const seconds = z.coerce.number().int().min(0).max(99_999_999_999).catch(0)

/** An unreadable page number means the first page, as existing clients expect. */
export const page = z.coerce.number().int().min(0).max(Limits.pageMax).catch(0)

/** Rows per page of a list that may show more than ten. Another number means ten, as clients expect that have always sent one. */
export const listPageSize = z.coerce
  .number()
  .int()
  .min(PAGE_SIZE)
  .max(LIST_PAGE_MAX)
  .catch(PAGE_SIZE)
  .default(PAGE_SIZE)

export const pageQuery = z.object({ p: page })

/** A search without a page number returns all matches, at most `SEARCH_MAX`: older consoles paginate on the client. */
const searchPage = z.coerce.number().int().min(0).max(Limits.pageMax).optional().catch(0)
export const keywordQuery = z.object({ keyword: z.string().max(Limits.keywordMax).default(''), p: searchPage })

export const email = z.email({ error: 'input.email' }).max(Limits.emailMax)

/** Members that clients echo from an earlier answer. They are accepted and ignored. */
export const echoed = <const K extends string>(...keys: K[]) =>
  Object.fromEntries(keys.map((key) => [key, z.unknown().optional()])) as Record<K, z.ZodOptional<z.ZodUnknown>>

/** Older forms send an emptied field as `''` or null. Both mean "not given". */
export const blankable = <S extends z.ZodType>(schema: S) =>
  z.union([schema, z.union([z.literal(''), z.null()]).transform(() => undefined)])
