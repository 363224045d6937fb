import { z } from 'zod'
import { endpoint } from '../api/endpoint.ts'
import { Channel } from './channel.ts'

const Outcomes = z.object({ failed: z.int(), calls: z.int() })
/** `saved`: of the failed, those after which another channel answered. */
const DayOutcomes = Outcomes.extend({ saved: z.int() })

/** How often a channel failed in its recent calls. */
const ChannelOutcomes = z.object({
  id: z.int(),
  /** Attempts of the last 15 minutes, or less under heavy load. Null when answers are not logged. */
  recent: Outcomes.extend({ calls: z.int().nullable() }),
  /** Attempts of the last day. */
  day: DayOutcomes,
})

/** A channel that needs attention, and why. */
export const ChannelAttention = Channel.pick({
  id: true,
  name: true,
  type: true,
  status: true,
  status_reason: true,
  status_reason_en: true,
  response_time: true,
  balance: true,
  balance_updated_time: true,
  unpriced: true,
  model_list: true,
}).extend({
  reasons: z.array(z.enum(['failing', 'disabled', 'balance', 'unpriced', 'slow', 'model_list'])),
  /** Attempts since `recent_since`, including those after which another channel answered. Null when answers are not logged. */
  recent: Outcomes.extend({ calls: z.int().nullable() }),
  /** Attempts since `day_since`, including those after which another channel answered. */
  day: DayOutcomes,
  last_error: z.string(),
  last_error_at: z.int(),
  /** The call that the last error belongs to. */
  last_request_id: z.string(),
})

export type ChannelAttention = z.infer<typeof ChannelAttention>

/** The results of real calls, by channel. */
export const channelAttention = {
  attention: endpoint({
    method: 'GET',
    path: '/api/channel/attention',
    access: 'admin',
    summary: {
      zh: '需要关注的渠道：真实调用失败、被自动禁用、余额低、模型没有价格',
      en: 'Channels to look at: real calls fail, disabled by the product, low balance, models without a price',
    },
    data: z.object({
      total: z.int(),
      enabled: z.int(),
      /** At most 15 minutes ago; more recent under heavy load. */
      recent_since: z.int(),
      day_since: z.int(),
      /** There were more failures than were read, so the daily counts are a lower bound. */
      more_failures: z.boolean(),
      /** Summed over all channels. */
      day: DayOutcomes,
      channels: z.array(ChannelAttention),
    }),
  }),
  outcomes: endpoint({
    method: 'GET',
    path: '/api/channel/outcomes',
    access: 'admin',
    summary: {
      zh: '各渠道最近的调用次数和失败次数，没有调用的除外',
      en: 'How many calls each channel had of late and how many failed, without those that had none',
    },
    data: z.array(ChannelOutcomes),
  }),
}
