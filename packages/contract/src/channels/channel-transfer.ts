import { z } from 'zod'
import { id } from '../api/fields.ts'
import { BULK_MAX } from './channel-bulk.ts'
import { channelFilter } from './channel-filter.ts'

/** Channels per file. */
export const TRANSFER_MAX = 2000

/** Maximum length of a file, exported or imported: two thousand channels with a few hundred models each. */
export const TRANSFER_LENGTH_MAX = 16_000_000

/** The same in JSON, where each quotation mark takes two bytes. */
export const TRANSFER_BYTES_MAX = 24 * 1024 * 1024

/** An exported file can be attacked offline, so short passphrases are refused. */
export const PASSPHRASE_MIN = 12

const passphrase = z.string().max(1024)

export const ExportBody = z.strictObject({
  /** Which channels; all of them when neither is set. */
  ids: z.array(id).max(BULK_MAX).optional(),
  filter: z.strictObject(channelFilter).optional(),
  format: z.enum(['json', 'csv']),
  /** When set, the file includes the secrets, encrypted with it. JSON only, root only. */
  passphrase: passphrase.min(PASSPHRASE_MIN).optional(),
})

export const ExportedFile = z.object({
  name: z.string(),
  content: z.string(),
  count: z.int(),
})

export const ImportBody = z.strictObject({
  /** An exported file, or a table written by hand. */
  content: z.string().min(1).max(TRANSFER_LENGTH_MAX),
  /** Needed when the file contains secrets. */
  passphrase: passphrase.default(''),
  preview: z.boolean(),
})

/** What an import does with one row of the file. */
const ImportedRow = z.object({
  /** The starting line in a CSV; in JSON the position in the list, from 1. */
  row: z.int(),
  name: z.string(),
  action: z.enum(['create', 'change', 'keep', 'refuse']),
  /** The existing channel; 0 for none. */
  id: z.int(),
  /** The names of the changed fields. */
  fields: z.array(z.string()),
  /** The channel has no key; a new one is created disabled. */
  without_key: z.boolean(),
  /** Headers that are not sent because the file has no value for them. */
  without_headers: z.array(z.string()),
  /** Why the row is rejected, in both languages. */
  reason: z.object({ zh: z.string(), en: z.string() }).nullable(),
})

export type ImportedRow = z.infer<typeof ImportedRow>

/** The outcome of an import, previewed or carried out. */
export const ImportResult = z.object({
  created: z.int(),
  changed: z.int(),
  kept: z.int(),
  refused: z.int(),
  /** How many of the created, changed and unchanged channels have no key. */
  without_key: z.int(),
  rows: z.array(ImportedRow),
  /** Models that lose their last enabled channel in a group: the first of them, and how many there are. */
  orphaned: z.array(z.object({ group: z.string(), model: z.string() })),
  orphaned_count: z.int(),
})

export type ImportResult = z.infer<typeof ImportResult>
