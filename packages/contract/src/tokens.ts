import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { blankable, byId, echoed, id, keywordQuery, line, listPageSize, page, seconds } from './api/fields.ts'
import { Limits } from './api/limits.ts'
import { timeZone } from './api/time-zone.ts'
import { KeyActivity } from './key-activity.ts'
import { quotaAmount, quotaBalance } from './quota.ts'
import { RateLimits } from './rate-limits.ts'
import { RecordingRequest, RecordingSettings } from './recordings/recording-settings.ts'

export const TokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

/** `expired_time` of a token that never expires. */
export const NEVER_EXPIRES = -1

export const Token = z.object({
  id: z.int(),
  user_id: z.int(),
  name: z.string(),
  /** Without the `sk-` prefix. Only the owner ever sees it. */
  key: z.string(),
  status: z.int(),
  created_time: z.int(),
  accessed_time: z.int(),
  expired_time: z.int(),
  remain_quota: z.int(),
  unlimited_quota: z.boolean(),
  used_quota: z.int(),
  /** A comma list; empty means every model. */
  models: z.string(),
  /** A comma list of CIDR ranges; empty means every address. */
  subnet: z.string(),
  /** Empty when there are none. */
  rate_limits: RateLimits.default({}),
  /** Set by an administrator. Both apply: the owner's can only be stricter. */
  admin_rate_limits: RateLimits.default({}),
  /** Whether a fallback model may answer when the requested one cannot. */
  fallback: z.boolean().default(true),
  /** Which of its calls are recorded; null for none. */
  recording: RecordingSettings.nullable().default(null),
  /** What an administrator asks the owner to agree to; null for nothing. */
  recording_request: RecordingRequest.nullable().default(null),
  /** Disabled by an administrator: the owner cannot enable it. */
  blocked: z.boolean().default(false),
  /** The administrator's reason; empty when it is not blocked. */
  blocked_reason: z.string().default(''),
})

export type Token = z.infer<typeof Token>

/** A key as administrators see it: with its owner, and without the key itself. */
export const UserToken = Token.omit({ key: true }).extend({
  username: z.string(),
  role: z.int(),
  /** The owner's group: an ordered comma list; empty means `default`. */
  group: z.string(),
  activity: KeyActivity,
})

export type UserToken = z.infer<typeof UserToken>

export const TokenOrder = z.enum(['', 'remain_quota', 'used_quota']).catch('')
export const UserTokenOrder = z.enum(['', 'accessed_time', 'used_quota']).catch('')

/**
 * The statuses administrators filter by: those of a token, `blocked`, which is a kind of disabled, and `ending`, which are the enabled
 * ones that need attention.
 */
export const TokenStatusFilter = { ...TokenStatus, blocked: 5, ending: 6 } as const

/** Selects keys of all users. Absent, empty or 0 means no filter. */
export const userTokenFilter = {
  keyword: z.string().max(Limits.keywordMax).default(''),
  /** The owner: digits match an id or a whole username, anything else a part of the username. */
  owner: z.string().max(Limits.keywordMax).default(''),
  /** A model that the key may call, by its full name. */
  model: z.string().max(256).default(''),
  status: z.coerce.number().int().min(0).max(TokenStatusFilter.ending).default(0),
  /** Last used since, or not since. */
  used_after: seconds,
  used_before: seconds,
}

export type UserTokenFilter = z.infer<z.ZodObject<typeof userTokenFilter>>

/** Keys per request: the rows of a page, and some more. */
const KEYS_AT_ONCE = 50

const expiry = z.int().min(NEVER_EXPIRES).max(99_999_999_999)
const models = z.string().max(Limits.listTextMax)
const subnet = z.string().max(4096)

const readOnlyFields = echoed(
  'user_id',
  'key',
  'created_time',
  'accessed_time',
  'used_quota',
  'is_edit',
  'model_limits',
  'model_limits_enabled',
  'blocked',
  'blocked_reason',
  'recording_request',
  'admin_rate_limits',
)

/** Whose days are shown. */
const zone = timeZone.default('UTC')

/** The ids of some keys in a query: `1,2,3`. */
const tokenIds = z
  .string()
  .max(1000)
  .regex(/^\d{1,15}(,\d{1,15})*$/)
  .transform((text) => text.split(',').map(Number))
  .refine((ids) => ids.length <= KEYS_AT_ONCE)

const edit = z.strictObject({
  ...readOnlyFields,
  id,
  status: z.int().optional(),
  name: line(Limits.tokenNameMax).trim().min(1).optional(),
  expired_time: expiry.optional(),
  /** A negative value is one that older clients echo from an answer; the stored one is kept. */
  remain_quota: blankable(quotaBalance).optional(),
  /** The amount the form showed when it was opened. With it, the difference is applied, not the number. */
  remain_quota_base: z.int().optional(),
  unlimited_quota: z.boolean().optional(),
  models: models.nullish(),
  subnet: subnet.nullish(),
  rate_limits: RateLimits.nullish(),
  fallback: z.boolean().optional(),
  recording: RecordingSettings.nullish(),
  /** Deletes what has been recorded of the token's calls. */
  delete_recordings: z.boolean().optional(),
})

export const tokens = {
  list: endpoint({
    method: 'GET',
    path: '/api/token/',
    access: 'user',
    paged: true,
    summary: { zh: '自己的令牌', en: 'List your tokens' },
    query: z.object({ p: page, order: TokenOrder }),
    data: z.array(Token),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    paged: true,
    summary: { zh: '按名称搜索令牌', en: 'Search your tokens by name' },
    query: keywordQuery.extend({ order: TokenOrder }),
    data: z.array(Token),
  }),
  activity: endpoint({
    method: 'GET',
    path: '/api/token/activity',
    access: 'user',
    summary: {
      zh: '自己的令牌最近七天的消费、最近一天的来源地址，以及异常使用的标记',
      en: 'What your tokens spent in seven days, the addresses of the last day, and whether their use is unusual',
    },
    query: z.object({ token_ids: tokenIds, zone }),
    data: z.array(KeyActivity),
  }),
  all: endpoint({
    method: 'GET',
    path: '/api/token/all',
    access: 'admin',
    paged: true,
    summary: { zh: '所有用户的令牌，不含密钥', en: 'The tokens of all users, without the keys' },
    query: z.object({ p: page, page_size: listPageSize, order: UserTokenOrder, zone, ...userTokenFilter }),
    data: z.array(UserToken),
  }),
  manage: endpoint({
    method: 'POST',
    path: '/api/token/manage',
    access: 'admin',
    summary: {
      zh: '禁用用户的令牌并说明原因，或重新启用',
      en: 'Disable a token of a user with a reason, or enable it again',
    },
    body: z.strictObject({
      id,
      action: z.enum(['disable', 'enable']),
      /** Shown to the owner and to callers with the key; required for disabling. */
      reason: line(Limits.reasonMax).trim().default(''),
    }),
    data: UserToken.omit({ activity: true }),
  }),
  setLimits: endpoint({
    method: 'POST',
    path: '/api/token/limits',
    access: 'admin',
    summary: {
      zh: '限制用户的令牌；所有者只能设置更严格的限制',
      en: 'Limit a token of a user; its owner can only set stricter limits',
    },
    body: z.strictObject({ id, rate_limits: RateLimits }),
    data: UserToken.omit({ activity: true }),
  }),
  askRecording: endpoint({
    method: 'POST',
    path: '/api/token/recording',
    access: 'admin',
    summary: {
      zh: '请令牌的所有者同意记录它的调用，或撤回请求；所有者同意之前不会记录任何内容',
      en: 'Ask the owner of a token to agree to recording its calls, or withdraw it; nothing is recorded before the owner agrees',
    },
    body: z.strictObject({
      id,
      /** Null withdraws the request. */
      settings: RecordingSettings.nullable(),
      /** Shown to the owner; required for asking. */
      reason: line(Limits.reasonMax).trim().default(''),
    }),
    data: UserToken.omit({ activity: true }),
  }),
  answerRecording: endpoint({
    method: 'POST',
    path: '/api/token/recording/answer',
    access: 'user',
    summary: {
      zh: '同意或拒绝管理员记录自己令牌调用的请求',
      en: "Agree to an administrator's request to record the calls of your token, or decline it",
    },
    body: z.strictObject({
      id,
      agree: z.boolean(),
      /** What the owner was shown. If it was changed meanwhile, nothing is agreed to. */
      settings: RecordingSettings,
    }),
    data: Token,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/token/:id',
    access: 'user',
    summary: { zh: '查看令牌', en: 'Read a token' },
    params: byId,
    data: Token,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/token/',
    access: 'user',
    idempotent: true,
    summary: { zh: '创建令牌', en: 'Create a token' },
    body: z.strictObject({
      ...readOnlyFields,
      ...echoed('id', 'status'),
      name: line(Limits.tokenNameMax).trim().min(1),
      expired_time: expiry.default(NEVER_EXPIRES),
      remain_quota: blankable(quotaAmount).optional(),
      unlimited_quota: z.boolean().default(false),
      models: models.nullish(),
      subnet: subnet.nullish(),
      rate_limits: RateLimits.nullish(),
      fallback: z.boolean().optional(),
      recording: RecordingSettings.nullish(),
    }),
    data: Token,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/token/',
    access: 'user',
    summary: {
      zh: '修改令牌；带 status_only 时只改状态',
      en: 'Change a token; with status_only nothing but its status',
    },
    query: z.object({ status_only: z.string().optional() }),
    body: edit,
    data: Token,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/token/:id',
    access: 'user',
    summary: { zh: '删除令牌', en: 'Delete a token' },
    params: byId,
  }),
}
