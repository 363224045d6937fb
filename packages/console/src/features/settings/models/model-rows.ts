import { FallbackReason } from '@tollgate/contract'
import { z } from 'zod'

/** Rows as they are typed, without a model at first. What they mean is checked when they are saved. */
const Aliases = z.record(z.string().min(1), z.string())
const Fallbacks = z.record(
  z.string().min(1),
  z.strictObject({ to: z.array(z.string()), on: z.array(FallbackReason).min(1) }),
)

/** The entries of a table in order; undefined for a text that is none. */
const rowsOf = <Entry>(schema: z.ZodType<Record<string, Entry>>, text: string) => {
  try {
    const table = schema.safeParse(JSON.parse(text.trim() === '' ? '{}' : text)).data
    return table && Object.entries(table)
  } catch {
    return undefined
  }
}

export const aliasRows = (text: string) => rowsOf(Aliases, text)
export const fallbackRows = (text: string) => rowsOf(Fallbacks, text)

/** Formatted for people. */
export const tableText = (rows: readonly (readonly [string, unknown])[]) =>
  JSON.stringify(Object.fromEntries(rows), null, 2)
