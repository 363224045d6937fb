import { z } from 'zod'
import { id, line } from '../api/fields.ts'
import { Limits } from '../api/limits.ts'
import { channelFilter } from './channel-filter.ts'
import { PROXY_LOGIN_MAX, PROXY_MAX } from './proxy-url.ts'

/** The maximum number of channels in one change. */
export const BULK_MAX = 5000

/** The number of channels that a preview lists one by one. */
export const BULK_SHOWN_MAX = 50

const groups = z.string().max(1024)
const models = z.string().max(Limits.listTextMax)

/** The change to apply to each channel. Lists are comma-separated; absent members stay as they are. */
export const ChannelChange = z.strictObject({
  /** Deletes the channels. Cannot be combined with other changes. */
  remove: z.literal(true).optional(),
  status: z.union([z.literal(1), z.literal(2)]).optional(),
  group: groups.optional(),
  add_group: groups.optional(),
  remove_group: groups.optional(),
  priority: z.int().min(-1_000_000_000).max(1_000_000_000).optional(),
  weight: z.int().min(0).max(1_000_000_000).optional(),
  add_models: models.optional(),
  remove_models: models.optional(),
  tag: line(Limits.channelTagMax).trim().optional(),
  /** JSON text as in `model_mapping`, merged into the existing mapping. */
  add_mapping: z.string().max(Limits.listTextMax).optional(),
  remove_mapping: models.optional(),
  /** Empty: no proxy. For the super administrator, because stored keys will be sent through it without being entered again. */
  proxy: z.string().trim().max(PROXY_MAX).optional(),
  proxy_user: z.string().max(PROXY_LOGIN_MAX).optional(),
  proxy_password: z.string().max(PROXY_LOGIN_MAX).optional(),
})

export type ChannelChange = z.infer<typeof ChannelChange>

export const BulkBody = z.strictObject({
  ids: z.array(id).max(BULK_MAX).optional(),
  filter: z.strictObject(channelFilter).optional(),
  change: ChannelChange,
  preview: z.boolean(),
})

const Values = z.object({
  status: z.int(),
  group: z.string(),
  priority: z.int(),
  weight: z.int(),
  tag: z.string(),
  /** How many. */
  models: z.int(),
  /** The address without the login. */
  proxy: z.string(),
})

/** A changed entry of the mapping; null where there is none. */
const MappingChange = z.object({ model: z.string(), before: z.string().nullable(), after: z.string().nullable() })

const ChangedChannel = z.object({
  id: z.int(),
  name: z.string(),
  before: Values,
  /** Null when the channel is deleted. */
  after: Values.nullable(),
  models_added: z.array(z.string()),
  models_removed: z.array(z.string()),
  mapping: z.array(MappingChange),
  /** The proxy's user or password changes. */
  proxy_login: z.boolean(),
})

export type ChangedChannel = z.infer<typeof ChangedChannel>

/** The outcome of a change, previewed or applied. */
export const BulkResult = z.object({
  /** How many channels were selected, including those that need no change. */
  matched: z.int(),
  changed: z.int(),
  /** All selected channels, so that the previewed change can be applied to exactly these. */
  ids: z.array(z.int()),
  /** The first channels that change. */
  channels: z.array(ChangedChannel),
  /** Models that lose their last enabled channel in a group: the first of them, and how many there are. */
  orphaned: z.array(z.object({ group: z.string(), model: z.string() })),
  orphaned_count: z.int(),
})

export type BulkResult = z.infer<typeof BulkResult>
