import { channels, keyPlace } from '@tollgate/contract'
import { jsonOrUndefined } from '@tollgate/providers'
import { z } from 'zod'
import { GatewayError } from '../common/errors.ts'
import { csvText, parseCsv } from './channel-csv.ts'
import { keyOrderOf } from './channel-fields.ts'
import type { StoredChannel } from './channels-repository.ts'
import { readSealing, type Sealing } from './file-passphrase.ts'

/*
 * A file of channels: JSON, or a CSV table with the same members as columns. An exported one contains neither usage nor
 * unencrypted secrets; one written by hand may contain keys.
 */

const FORMAT = 'tollgate-channels'
const VERSION = 1

const COLUMNS = [
  'id',
  'type',
  'name',
  'status',
  'tag',
  'base_url',
  'models',
  'group',
  'priority',
  'weight',
  'key_order',
  'model_mapping',
  'test_model',
  'system_prompt',
  'other',
  'config',
] as const

/** Columns that are read and never written. */
const READ_COLUMNS = [...COLUMNS, 'key'] as const

type Column = (typeof READ_COLUMNS)[number]

/** One channel of a file. Absent members get the default of a new channel, or stay unchanged. */
export const FileChannel = channels.create.body
  .pick({
    type: true,
    name: true,
    tag: true,
    base_url: true,
    models: true,
    group: true,
    priority: true,
    weight: true,
    key_order: true,
    model_mapping: true,
    test_model: true,
    system_prompt: true,
    other: true,
  })
  .extend({
    /** Distinguishes channels of the same name in files exported from here. */
    id: z.int().min(1).optional(),
    status: z.int().min(1).max(3).optional(),
    models: channels.create.body.shape.models.unwrap().optional(),
    config: z.record(z.string(), z.unknown()).optional(),
    /** Entered by hand; several lines make a pool. */
    key: channels.create.body.shape.key.optional(),
    secrets: z.string().max(4_000_000).optional(),
  })

export type FileChannel = z.infer<typeof FileChannel>

export type Exported = Required<Omit<FileChannel, 'secrets' | 'key'>> & Pick<FileChannel, 'secrets'>

/** A raw, unvalidated row of a file. */
export interface RawRow {
  row: number
  value: unknown
}

export interface ChannelFile {
  sealing: Sealing | undefined
  rows: RawRow[]
}

export const exported = (row: StoredChannel): Exported => {
  const { id, type, name, status, tag, base_url, models, group, priority, weight } = row
  const { model_mapping, test_model, system_prompt, other } = row
  return {
    ...{ id, type, name, status, tag, base_url, models, group, priority, weight },
    ...{ model_mapping, test_model, system_prompt, other, config: JSON.parse(row.config) },
    key_order: keyOrderOf(row.key_order),
  }
}

export const jsonFile = (rows: readonly Exported[], at: number, sealing: Sealing | undefined) =>
  `${JSON.stringify({ format: FORMAT, version: VERSION, exported_at: at, sealing: sealing ?? null, channels: rows }, null, 2)}\n`

export const csvFile = (rows: readonly Exported[]) =>
  csvText([COLUMNS, ...rows.map((row) => COLUMNS.map((column) => cellOf(row[column])))])

const cellOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value ?? ''))

export const readFile = (content: string): ChannelFile =>
  /^\ufeff?\s*\{/.test(content) ? readJson(content) : readCsv(content)

const Head = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  sealing: z.unknown().optional(),
  channels: z.array(z.unknown()),
})

function readJson(content: string): ChannelFile {
  const head = Head.safeParse(jsonOrUndefined(content.replace(/^\ufeff/, '')))
  if (!head.success) throw new GatewayError('channel.file_unreadable')
  const { version, sealing, channels: rows } = head.data
  if (version > VERSION) throw new GatewayError('channel.file_version', { version })
  return {
    sealing: sealing == null ? undefined : readSealing(sealing),
    rows: rows.map((value, index) => ({ row: index + 1, value })),
  }
}

function readCsv(content: string): ChannelFile {
  const [head, ...rows] = parseCsv(content)
  const columns = head?.cells.map((name) => name.trim()) ?? []
  if (!columns.includes('type') || !columns.includes('name')) throw new GatewayError('channel.file_unreadable')
  for (const [index, name] of columns.entries()) {
    if (!isColumn(name)) throw new GatewayError('channel.file_column', { name })
    if (columns.indexOf(name) !== index) throw new GatewayError('channel.file_column_twice', { name })
  }
  return {
    sealing: undefined,
    rows: rows.map(({ row, cells }) => ({ row, value: rowOf(columns.filter(isColumn), cells) })),
  }
}

const isColumn = (name: string): name is Column => (READ_COLUMNS as readonly string[]).includes(name)

/** An empty cell in a number column means absent; an empty text is a value. Parse errors belong to the row, not to the file. */
function rowOf(columns: readonly Column[], cells: readonly string[]) {
  if (cells.length !== columns.length) {
    return new GatewayError('channel.file_cells', { count: cells.length, columns: columns.length })
  }
  const entries = columns.map((column, index): [Column, unknown] => [column, cellValue(column, cells[index] ?? '')])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function cellValue(column: Column, cell: string): unknown {
  if (column !== 'config' && !NUMBERS.has(column)) return cell
  if (cell.trim() === '') return undefined
  if (column === 'config') return jsonOrUndefined(cell) ?? cell
  return /^-?\d+$/.test(cell.trim()) ? Number(cell) : cell
}

const NUMBERS: ReadonlySet<Column> = new Set(['id', 'type', 'status', 'priority', 'weight'])

/** The context that a channel's secrets in a file are bound to: where its key is sent. A file manipulated there cannot be decrypted. */
export const secretsContext = ({ type, base_url, config }: Pick<FileChannel, 'type' | 'base_url' | 'config'>) =>
  `${FORMAT}:${JSON.stringify(keyPlace({ type, base_url: base_url ?? '', config: config ?? {} }))}`
