import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { base, blankable, byId, echoed, id, keywordQuery, line, listPageSize, page } from './api/fields.ts'
import { Limits } from './api/limits.ts'
import { DashboardRow, utcOffset } from './dashboard.ts'
import { quotaAboveZero, quotaAmount, quotaBalance } from './quota.ts'
import { OwnRateLimits, RateLimits } from './rate-limits.ts'
import { Role } from './roles.ts'
import { newPassword, newUsername } from './session.ts'

/** 3 is a deleted account: its row is kept for the ledger and nothing can be done with it. */
export const UserStatus = { enabled: 1, banned: 2, deleted: 3 } as const

export const User = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  email: z.string(),
  github_id: z.string(),
  wechat_id: z.string(),
  lark_id: z.string(),
  /** An ordered comma list; an empty one means `default`. */
  group: z.string(),
  quota: quotaBalance,
  used_quota: z.int(),
  request_count: z.int(),
  aff_code: z.string(),
  inviter_id: z.int(),
  created_time: z.int(),
  /** Limits of the account itself; empty when there are none. */
  rate_limits: RateLimits.default({}),
})

export type User = z.infer<typeof User>

/** A user's own account, including what only the owner may see. */
export const OwnUser = User.extend({
  default_password: z.boolean(),
  /** For role 10 and above: whether e-mail recovery and sign-in through Lark or WeChat are allowed. */
  external_login: z.boolean(),
})

export type OwnUser = z.infer<typeof OwnUser>

export const UserOrder = z.enum(['', 'quota', 'used_quota', 'request_count']).catch('')

/** Selects users. Absent, empty or 0 means no filter. */
export const userFilter = {
  group: z.string().max(256).default(''),
  role: z.coerce.number().int().min(0).max(Role.root).default(0),
  status: z.coerce.number().int().min(0).max(UserStatus.banned).default(0),
}

export type UserFilter = z.infer<z.ZodObject<typeof userFilter>>

const groupList = line(256)
const displayName = line(Limits.displayNameMax).trim()

/** An empty text keeps what is stored. */
const unlessEmpty = <S extends z.ZodType>(schema: S) => z.union([schema, z.literal('')])

const readOnlyFields = echoed(
  'email',
  'github_id',
  'wechat_id',
  'lark_id',
  'oidc_id',
  'used_quota',
  'request_count',
  'aff_code',
  'inviter_id',
  'access_token',
  'verification_code',
  'created_time',
  'default_password',
  'telegram_id',
  'is_edit',
)

export const ManageAction = z.enum(['promote', 'demote', 'delete', 'disable', 'enable'])

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/',
    access: 'admin',
    paged: true,
    summary: { zh: '用户列表', en: 'List users' },
    query: z.object({ p: page, page_size: listPageSize, order: UserOrder, ...userFilter }),
    data: z.array(User),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/user/search',
    access: 'admin',
    paged: true,
    summary: { zh: '搜索用户', en: 'Search users' },
    query: keywordQuery.extend({ page_size: listPageSize, order: UserOrder, ...userFilter }),
    data: z.array(User),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/user/:id',
    access: 'admin',
    summary: { zh: '查看用户', en: 'Read a user' },
    params: byId,
    data: User,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/user/',
    access: 'admin',
    idempotent: true,
    summary: { zh: '创建用户', en: 'Create a user' },
    body: z.strictObject({
      username: newUsername,
      password: newPassword,
      display_name: displayName.default(''),
      group: groupList.optional(),
      ...echoed('is_edit', 'quota'),
    }),
    data: User,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/user/',
    access: 'admin',
    summary: { zh: '修改用户', en: 'Change a user' },
    body: z.strictObject({
      ...readOnlyFields,
      ...echoed('external_login'),
      id,
      username: unlessEmpty(line(Limits.storedUsernameMax).trim()).optional(),
      display_name: line(Limits.storedUsernameMax).trim().optional(),
      password: unlessEmpty(newPassword).optional(),
      group: groupList.optional(),
      role: z.int().optional(),
      status: z.int().optional(),
      /** Older clients echo a negative balance; a change never results in one. */
      quota: blankable(quotaBalance).optional(),
      /** The balance the form showed when opened. With it, the difference is applied, not the number. */
      quota_base: quotaBalance.optional(),
      rate_limits: RateLimits.nullish(),
      base,
    }),
    data: User,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/user/:id',
    access: 'admin',
    summary: { zh: '删除用户', en: 'Delete a user' },
    params: byId,
  }),
  manage: endpoint({
    method: 'POST',
    path: '/api/user/manage',
    access: 'admin',
    summary: { zh: '提升、降级、禁用、启用或删除用户', en: 'Promote, demote, disable, enable or delete a user' },
    body: z.strictObject({ username: z.string().min(1).max(Limits.storedUsernameMax), action: ManageAction }),
    data: z.object({ role: z.int(), status: z.int() }),
  }),
  adminTopUp: endpoint({
    method: 'POST',
    path: '/api/topup',
    access: 'admin',
    idempotent: true,
    summary: { zh: '为用户充值或退款', en: 'Credit a user: a payment or a refund' },
    body: z.strictObject({
      user_id: id,
      quota: quotaAboveZero,
      /** What the user reads in the log. */
      remark: line(Limits.reasonMax).default(''),
      /** A payment sent again with the same reference is credited once. */
      reference: line(128).optional(),
    }),
  }),

  self: endpoint({
    method: 'GET',
    path: '/api/user/self',
    access: 'user',
    summary: { zh: '查看自己的账户', en: 'Read your own account' },
    data: OwnUser,
  }),
  limits: endpoint({
    method: 'GET',
    path: '/api/user/self/limits',
    access: 'user',
    summary: {
      zh: '自己、所在分组和各令牌的速率限制，以及本分钟的用量',
      en: 'Your rate limits, those of your group and your tokens, and how much of them is in use',
    },
    data: OwnRateLimits,
  }),
  updateSelf: endpoint({
    method: 'PUT',
    path: '/api/user/self',
    access: 'user',
    summary: { zh: '修改自己的账户', en: 'Change your own account' },
    body: z.strictObject({
      ...readOnlyFields,
      ...echoed('id', 'role', 'status', 'group', 'quota', 'quota_base', 'rate_limits'),
      username: unlessEmpty(line(Limits.storedUsernameMax).trim()).optional(),
      display_name: line(Limits.storedUsernameMax).trim().optional(),
      password: unlessEmpty(newPassword).optional(),
      external_login: z.boolean().optional(),
      /** Required to enable `external_login`. */
      current_password: z.string().max(1024).optional(),
    }),
    data: OwnUser,
  }),
  removeSelf: endpoint({
    method: 'DELETE',
    path: '/api/user/self',
    access: 'user',
    summary: { zh: '注销自己的账户', en: 'Delete your own account' },
  }),
  accessToken: endpoint({
    method: 'GET',
    path: '/api/user/token',
    access: 'user',
    effects: true,
    summary: { zh: '生成新的系统访问令牌，旧的随即失效', en: 'Make a new access token; the old one ends' },
    data: z.string(),
  }),
  affiliateCode: endpoint({
    method: 'GET',
    path: '/api/user/aff',
    access: 'user',
    summary: { zh: '自己的邀请码', en: 'Your invite code' },
    data: z.string(),
  }),
  availableModels: endpoint({
    method: 'GET',
    path: '/api/user/available_models',
    access: 'user',
    summary: { zh: '自己可以调用的模型', en: 'Models you may call' },
    data: z.array(z.string()),
  }),
  dashboard: endpoint({
    method: 'GET',
    path: '/api/user/dashboard',
    access: 'user',
    summary: { zh: '最近七天按模型的用量', en: 'Your usage of the last seven days by model' },
    query: z.object({ utc_offset_minutes: utcOffset }),
    data: z.array(DashboardRow),
  }),
  topUp: endpoint({
    method: 'POST',
    path: '/api/user/topup',
    access: 'user',
    idempotent: true,
    summary: { zh: '使用兑换码充值', en: 'Top up with a redemption code' },
    body: z.strictObject({ key: z.string().trim().min(1).max(128) }),
    data: quotaAmount,
  }),
}
