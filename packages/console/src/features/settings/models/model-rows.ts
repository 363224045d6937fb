import { aliasTable, type Fallback, fallbackTable } from '@tollgate/contract'

/** The entries of a table that the schema accepts, in order; undefined for any other text. */
const entriesOf = <Entry>(schema: { safeParse(text: string): { success: boolean } }, text: string) =>
  schema.safeParse(text).success
    ? // The schema has seen that it is a JSON object of such entries.
      (Object.entries(JSON.parse(text.trim() === '' ? '{}' : text)) as [string, Entry][])
    : undefined

export const aliasRows = (text: string) => entriesOf<string>(aliasTable, text)
export const fallbackRows = (text: string) => entriesOf<Fallback>(fallbackTable, text)

/** Formatted for people. */
export const tableText = (rows: readonly (readonly [string, unknown])[]) =>
  JSON.stringify(Object.fromEntries(rows), null, 2)
