import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { byId, id, line, page, pageQuery } from './api/fields.ts'
import { quotaAboveZero, quotaAmount } from './quota.ts'

/** What a budget applies to. */
export const BudgetScope = z.enum(['key', 'user', 'group', 'channel'])
export const BudgetPeriod = z.enum(['day', 'week', 'month', 'forever'])

export type BudgetScope = z.infer<typeof BudgetScope>
export type BudgetPeriod = z.infer<typeof BudgetPeriod>

export const Budget = z.object({
  id: z.int(),
  scope: BudgetScope,
  /** The id of the key, the user or the channel, or the name of the group. */
  target: z.string(),
  /** The name of the target; empty when it was deleted. */
  target_name: z.string(),
  /** The username of a key's owner, unless that is the reader: many have a key of the same name. Empty for other targets. */
  owner: z.string(),
  /** Empty for all models together. */
  model: z.string(),
  quota: quotaAmount,
  period: BudgetPeriod,
  /** Covers the last 1, 7 or 30 days instead of a calendar period. */
  rolling: z.boolean(),
  /** The IANA time zone of the calendar period. */
  zone: z.string(),
  /** A temporary raise of the limit; 0 for none. */
  raise_quota: quotaAmount,
  raise_until: z.int(),
  /** Set by an administrator: the owner of the key cannot change it. */
  managed: z.boolean(),
  created_time: z.int(),
  /** In the current period: spent, and reserved by running calls. */
  used: z.int(),
  held: z.int(),
  /** Start of the next period; 0 when it is rolling or never ends. */
  renews_at: z.int(),
})

export type Budget = z.infer<typeof Budget>

const zone = z.string().max(64)
const until = z.int().min(0).max(99_999_999_999)

const amounts = {
  quota: quotaAboveZero,
  period: BudgetPeriod,
  rolling: z.boolean().default(false),
  zone: zone.default('UTC'),
  raise_quota: quotaAmount.default(0),
  raise_until: until.default(0),
}

export const budgets = {
  list: endpoint({
    method: 'GET',
    path: '/api/budget/',
    access: 'admin',
    paged: true,
    summary: { zh: '预算列表', en: 'List budgets' },
    query: z.object({
      p: page,
      scope: z.enum(['', ...BudgetScope.options]).catch(''),
      target: z.string().max(64).default(''),
    }),
    data: z.array(Budget),
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/budget/self',
    access: 'user',
    paged: true,
    summary: { zh: '约束自己的预算', en: 'The budgets that bind you' },
    query: pageQuery,
    data: z.array(Budget),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/budget/:id',
    access: 'user',
    summary: { zh: '查看预算', en: 'Read a budget' },
    params: byId,
    data: Budget,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/budget/',
    access: 'user',
    idempotent: true,
    summary: { zh: '新建预算', en: 'Create a budget' },
    body: z.strictObject({
      scope: BudgetScope,
      target: line(64).trim().min(1),
      model: line(100).trim().default(''),
      ...amounts,
    }),
    data: z.int(),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/budget/',
    access: 'user',
    summary: { zh: '修改预算，未提交的字段保持不变', en: 'Change a budget; what is not sent stays' },
    body: z.strictObject({
      id,
      quota: quotaAboveZero.optional(),
      period: BudgetPeriod.optional(),
      rolling: z.boolean().optional(),
      zone: zone.optional(),
      raise_quota: quotaAmount.optional(),
      raise_until: until.optional(),
    }),
    data: Budget,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/budget/:id',
    access: 'user',
    summary: { zh: '删除预算', en: 'Delete a budget' },
    params: byId,
  }),
}
