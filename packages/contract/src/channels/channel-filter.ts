import { z } from 'zod'
import { line } from '../api/fields.ts'
import { CHANNEL_PAGE_MAX, Limits, PAGE_SIZE } from '../api/limits.ts'

/** Selects channels. Absent, empty or 0 means no filter. */
export const channelFilter = {
  keyword: z.string().max(Limits.keywordMax).default(''),
  status: z.coerce.number().int().min(0).max(3).default(0),
  type: z.coerce.number().int().min(0).max(10_000).default(0),
  /** A group that the channel serves. */
  group: z.string().max(256).default(''),
  /** A model that the channel offers, by its full name. */
  model: z.string().max(256).default(''),
  tag: line(Limits.channelTagMax).default(''),
  /** Minimum failure rate in percent, over the last 15 minutes or the last day. */
  failing: z.coerce.number().int().min(0).max(100).default(0),
  /** The last test failed. */
  test_failed: z.enum(['true', '']).default(''),
  /** Has models without a price. */
  unpriced: z.enum(['true', '']).default(''),
  /** Has no key, or none that can be decrypted. */
  without_key: z.enum(['true', '']).default(''),
}

export type ChannelFilter = z.infer<z.ZodObject<typeof channelFilter>>

export const channelPageSize = z.coerce.number().int().min(PAGE_SIZE).max(CHANNEL_PAGE_MAX).default(PAGE_SIZE)
