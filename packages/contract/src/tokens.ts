import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { blankable, byId, echoed, id, keywordQuery, line, page } from './fields.ts'
import { Limits } from './limits.ts'
import { quotaAmount, quotaBalance } from './quota.ts'
import { RateLimits } from './rate-limits.ts'

export const TokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

/** `expired_time` of a token that never expires. */
export const NEVER_EXPIRES = -1

export const Token = z.object({
  id: z.int(),
  user_id: z.int(),
  name: z.string(),
  /** Without the `sk-` that callers put in front. Only the owner ever sees it. */
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
  /** Empty where there are none. */
  rate_limits: RateLimits.default({}),
  /** Whether another model may answer where the one that was asked for cannot. */
  fallback: z.boolean().default(true),
})

export type Token = z.infer<typeof Token>

export const TokenOrder = z.enum(['', 'remain_quota', 'used_quota']).catch('')

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
)

const edit = z.strictObject({
  ...readOnlyFields,
  id,
  status: z.int().optional(),
  name: line(Limits.tokenNameMax).trim().min(1).optional(),
  expired_time: expiry.optional(),
  /** Below zero it is what older clients echo of an answer, and keeps what is stored. */
  remain_quota: blankable(quotaBalance).optional(),
  /** The amount the form showed when it was opened. With it, the difference is applied, not the number. */
  remain_quota_base: z.int().optional(),
  unlimited_quota: z.boolean().optional(),
  models: models.nullish(),
  subnet: subnet.nullish(),
  rate_limits: RateLimits.nullish(),
  fallback: z.boolean().optional(),
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
