import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { blankable, byId, echoed, id, keywordQuery, line, listPageSize, pageQuery } from './api/fields.ts'
import { Defaults, Limits } from './api/limits.ts'
import { quotaAmount } from './quota.ts'

export const RedemptionStatus = { unused: 1, disabled: 2, used: 3 } as const

export const Redemption = z.object({
  id: z.int(),
  user_id: z.int(),
  name: z.string(),
  key: z.string(),
  status: z.int(),
  quota: quotaAmount,
  created_time: z.int(),
  redeemed_time: z.int(),
  /** Who used the code; 0 while nobody did. */
  used_user_id: z.int(),
  /** Their name; empty while nobody did. */
  used_username: z.string().default(''),
})

export type Redemption = z.infer<typeof Redemption>

const name = line(Limits.redemptionNameMax).trim().min(1)
const readOnlyFields = echoed(
  'user_id',
  'key',
  'created_time',
  'redeemed_time',
  'used_user_id',
  'used_username',
  'is_edit',
)

/** Selects codes. Absent or 0 means no filter. */
const filter = { status: z.coerce.number().int().min(0).max(RedemptionStatus.used).default(0) }

export const redemptions = {
  list: endpoint({
    method: 'GET',
    path: '/api/redemption/',
    access: 'admin',
    paged: true,
    summary: { zh: '兑换码列表', en: 'List redemption codes' },
    query: pageQuery.extend({ ...filter, page_size: listPageSize }),
    data: z.array(Redemption),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/redemption/search',
    access: 'admin',
    paged: true,
    summary: {
      zh: '按 ID、名称、兑换码本身或使用者搜索兑换码',
      en: 'Search redemption codes by id, name, the code itself or who used it',
    },
    query: keywordQuery.extend({ ...filter, page_size: listPageSize }),
    data: z.array(Redemption),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/redemption/:id',
    access: 'admin',
    summary: { zh: '查看兑换码', en: 'Read a redemption code' },
    params: byId,
    data: Redemption,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/redemption/',
    access: 'admin',
    idempotent: true,
    summary: { zh: '生成兑换码', en: 'Make redemption codes' },
    body: z.strictObject({
      ...readOnlyFields,
      ...echoed('id', 'status'),
      name,
      quota: blankable(quotaAmount.min(1)).default(Defaults.redemptionQuota),
      count: blankable(z.int().min(1).max(Limits.redemptionCountMax)).default(Defaults.redemptionCount),
    }),
    data: z.array(z.string()),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/redemption/',
    access: 'admin',
    summary: {
      zh: '修改兑换码；带 status_only 时只改状态',
      en: 'Change a redemption code; with status_only nothing but its status',
    },
    query: z.object({ status_only: z.string().optional() }),
    body: z.strictObject({
      ...readOnlyFields,
      ...echoed('count'),
      id,
      name: name.optional(),
      quota: blankable(quotaAmount.min(1)).optional(),
      status: z.int().optional(),
    }),
    data: Redemption,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/redemption/:id',
    access: 'admin',
    summary: { zh: '删除兑换码', en: 'Delete a redemption code' },
    params: byId,
  }),
}
