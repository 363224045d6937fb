import { z } from 'zod'
import { endpoint } from '../api/endpoint.ts'
import { id, page } from '../api/fields.ts'
import { CHANNEL_PAGE_MAX, Limits, PAGE_SIZE } from '../api/limits.ts'
import { RateLimit } from '../rate-limits.ts'

/** How the next key of a pool is chosen among the usable ones: in turn, the one with the fewest open calls, or the first. */
export const KeyOrder = z.enum(['round_robin', 'least_busy', 'in_order'])

export type KeyOrder = z.infer<typeof KeyOrder>

/** `setAside`: the vendor rejected the key, and it stays unused until an operator enables it. */
export const ChannelKeyStatus = { enabled: 1, paused: 2, setAside: 3 } as const

/** Keys per channel. */
export const CHANNEL_KEYS_MAX = 10_000

/** Keys per bulk change. */
export const CHANNEL_KEYS_AT_ONCE = 1000

/** A key of a channel's pool. The key itself never leaves the server; the last four characters identify it. */
export const ChannelKey = z.object({
  id: z.int(),
  key_hint: z.string(),
  status: z.int(),
  /** The vendor's message when the key was set aside; empty otherwise. */
  status_reason: z.string(),
  rate_limits: RateLimit,
  /** Until when the key cools down, for the model that waits longest; 0 when it may be used for all. */
  cooldown_until: z.int(),
  /** After a rate limit a key cools down for the model that reached it; the longest first. */
  cooldowns: z.array(z.object({ model: z.string(), until: z.int() })),
  last_error: z.string(),
  last_error_time: z.int(),
  test_time: z.int(),
  response_time: z.int(),
  used_quota: z.int(),
  calls: z.int(),
  accessed_time: z.int(),
  created_time: z.int(),
})

export type ChannelKey = z.infer<typeof ChannelKey>

const byChannel = z.object({ id: z.coerce.number().int().min(1) })
const byKey = byChannel.extend({ key: z.coerce.number().int().min(1) })

export const channelKeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/channel/:id/keys',
    access: 'admin',
    paged: true,
    summary: { zh: '渠道密钥池中的密钥', en: 'The keys in the pool of a channel' },
    params: byChannel,
    query: z.object({
      p: page,
      page_size: z.coerce.number().int().min(PAGE_SIZE).max(CHANNEL_PAGE_MAX).default(PAGE_SIZE),
      /** 0 for all. */
      status: z.coerce.number().int().min(0).max(3).default(0),
      /** The last characters of a key. */
      hint: z.string().max(4).default(''),
    }),
    data: z.array(ChannelKey),
  }),
  counts: endpoint({
    method: 'GET',
    path: '/api/channel/:id/keys/counts',
    access: 'admin',
    summary: {
      zh: '渠道的密钥中，启用、冷却（对任一模型）、暂停、停用的各有多少',
      en: 'How many keys of a channel are enabled, cooling down for any model, paused, set aside',
    },
    params: byChannel,
    /** Includes the keys that are cooling down. */
    data: z.object({ enabled: z.int(), cooling: z.int(), paused: z.int(), set_aside: z.int() }),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/channel/:id/keys',
    access: 'admin',
    summary: {
      zh: '向渠道添加密钥，每行一个；渠道原有的密钥成为其中第一个',
      en: 'Add keys to a channel, one per line; the key that it had becomes the first of them',
    },
    params: byChannel,
    body: z.strictObject({
      key: z.string().max(Limits.secretMax * 10),
      rate_limits: RateLimit.default({}),
    }),
    /** Keys that the channel already has are skipped, so sending the request twice is harmless. */
    data: z.object({ added: z.int(), skipped: z.int() }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/channel/:id/keys',
    access: 'admin',
    summary: {
      zh: '启用、暂停渠道的密钥，或修改其速率限制',
      en: 'Enable or pause keys of a channel, or change their rate limits',
    },
    params: byChannel,
    body: z.strictObject({
      ids: z.array(id).min(1).max(CHANNEL_KEYS_AT_ONCE),
      status: z.union([z.literal(1), z.literal(2)]).optional(),
      rate_limits: RateLimit.optional(),
    }),
    /** How many. */
    data: z.int(),
  }),
  removeSome: endpoint({
    method: 'POST',
    path: '/api/channel/:id/keys/remove',
    access: 'admin',
    summary: { zh: '删除渠道的一些密钥', en: 'Remove some keys of a channel' },
    params: byChannel,
    body: z.strictObject({ ids: z.array(id).min(1).max(CHANNEL_KEYS_AT_ONCE) }),
    /** How many. */
    data: z.int(),
  }),
  removeSetAside: endpoint({
    method: 'DELETE',
    path: '/api/channel/:id/keys/disabled',
    access: 'admin',
    summary: { zh: '删除渠道中所有被停用的密钥', en: 'Remove all keys of a channel that were set aside' },
    params: byChannel,
    data: z.int(),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/channel/:id/keys/:key',
    access: 'admin',
    summary: { zh: '删除渠道的一个密钥', en: 'Remove one key of a channel' },
    params: byKey,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/channel/:id/keys/:key/test',
    access: 'admin',
    summary: { zh: '测试渠道的一个密钥', en: 'Test one key of a channel' },
    params: byKey,
    query: z.object({ model: z.string().max(256).default('') }),
    extra: z.object({ time: z.number(), model: z.string() }),
  }),
}
