import { z } from 'zod'
import { BULK_MAX } from './channel-bulk.ts'
import { channelFilter } from './channel-filter.ts'
import { id } from './fields.ts'

/** So many channels a file has at most. */
export const TRANSFER_MAX = 1000

/** So long a file is at most. */
export const TRANSFER_LENGTH_MAX = 3_500_000

/** Whoever has the file can try passphrases without end: a short one would be found. */
export const PASSPHRASE_MIN = 12

const passphrase = z.string().max(1024)

export const ExportBody = z.strictObject({
  /** Which channels; all of them without either. */
  ids: z.array(id).max(BULK_MAX).optional(),
  filter: z.strictObject(channelFilter).optional(),
  format: z.enum(['json', 'csv']),
  /** With one, the file has the secrets too, sealed under it. JSON only, and for the super administrator alone. */
  passphrase: passphrase.min(PASSPHRASE_MIN).optional(),
})

export const ExportedFile = z.object({
  name: z.string(),
  content: z.string(),
  count: z.int(),
})

export const ImportBody = z.strictObject({
  /** The file as it was exported, or a table that somebody wrote. */
  content: z.string().min(1).max(TRANSFER_LENGTH_MAX),
  /** For a file that has secrets. */
  passphrase: passphrase.default(''),
  preview: z.boolean(),
})

/** What becomes of one row of the file. */
const ImportedRow = z.object({
  /** Of a CSV the line where it begins, of a JSON file its place in the list, from 1. */
  row: z.int(),
  name: z.string(),
  action: z.enum(['create', 'change', 'keep', 'refuse']),
  /** The channel that is there already; 0 where there is none. */
  id: z.int(),
  /** The names of the fields that change. */
  fields: z.array(z.string()),
  /** It has no key, and stays disabled until somebody enters one. */
  without_key: z.boolean(),
  /** Headers that it does not send, because the file has no value for them. */
  without_headers: z.array(z.string()),
  /** Why it is refused, in both languages. */
  reason: z.object({ zh: z.string(), en: z.string() }).nullable(),
})

export type ImportedRow = z.infer<typeof ImportedRow>

/** What a file does, or did. */
export const ImportResult = z.object({
  created: z.int(),
  changed: z.int(),
  kept: z.int(),
  refused: z.int(),
  rows: z.array(ImportedRow),
})

export type ImportResult = z.infer<typeof ImportResult>
