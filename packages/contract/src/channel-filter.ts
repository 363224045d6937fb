import { z } from 'zod'
import { line } from './fields.ts'
import { CHANNEL_PAGE_MAX, Limits, PAGE_SIZE } from './limits.ts'

/** Which channels are meant. What is left out, empty or 0 leaves all of them in. */
export const channelFilter = {
  keyword: z.string().max(Limits.keywordMax).default(''),
  status: z.coerce.number().int().min(0).max(3).default(0),
  type: z.coerce.number().int().min(0).max(10_000).default(0),
  /** One that the channel serves. */
  group: z.string().max(256).default(''),
  /** One that the channel offers, by its whole name. */
  model: z.string().max(256).default(''),
  tag: line(Limits.channelTagMax).default(''),
  /** At least so many percent of its calls failed, in the last quarter of an hour or in the last day. */
  failing: z.coerce.number().int().min(0).max(100).default(0),
  /** Has models without a price. */
  unpriced: z.enum(['true', '']).default(''),
}

export type ChannelFilter = z.infer<z.ZodObject<typeof channelFilter>>

export const channelPageSize = z.coerce.number().int().min(PAGE_SIZE).max(CHANNEL_PAGE_MAX).default(PAGE_SIZE)
