import { z } from 'zod'
import { endpoint } from '../api/endpoint.ts'
import { base, byId, echoed, id, keywordQuery, line, pageQuery } from '../api/fields.ts'
import { Limits } from '../api/limits.ts'
import { Channel } from './channel.ts'
import { channelAttention } from './channel-attention.ts'
import { BulkBody, BulkResult } from './channel-bulk.ts'
import { channelFields, readOnlyFields, typeNumber } from './channel-fields.ts'
import { channelFilter, channelPageSize } from './channel-filter.ts'
import { channelModels } from './channel-models.ts'
import { channelTests } from './channel-tests.ts'
import { ExportBody, ExportedFile, ImportBody, ImportResult, TRANSFER_BYTES_MAX } from './channel-transfer.ts'

export const channels = {
  list: endpoint({
    method: 'GET',
    path: '/api/channel/',
    access: 'admin',
    paged: true,
    summary: { zh: '渠道列表，可以筛选', en: 'List channels, all or those of a filter' },
    query: pageQuery.extend({ ...channelFilter, page_size: channelPageSize }),
    data: z.array(Channel),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    paged: true,
    summary: { zh: '按 ID 或名称搜索渠道', en: 'Search channels by id or name' },
    query: keywordQuery.extend({ ...channelFilter, page_size: channelPageSize }),
    data: z.array(Channel),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/channel/:id',
    access: 'admin',
    summary: { zh: '查看渠道', en: 'Read a channel' },
    params: byId,
    data: Channel,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/channel/',
    access: 'admin',
    idempotent: true,
    summary: {
      zh: '创建渠道：每行密钥一个，或所有密钥共用一个（key_pool）',
      en: 'Create channels, one per line of the key, or one for all of them (key_pool)',
    },
    body: z.strictObject({
      ...readOnlyFields,
      ...echoed('id', 'status'),
      ...channelFields,
      type: typeNumber,
      name: line(Limits.channelNameMax).trim().min(1),
      key: z
        .string()
        .max(Limits.secretMax * 10)
        .default(''),
      /** One channel with a pool of all these keys. */
      key_pool: z.boolean().default(false),
      models: z.string().max(Limits.listTextMax).default(''),
    }),
    data: z.array(Channel),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/channel/',
    access: 'admin',
    summary: { zh: '修改渠道，未提交的字段保持不变', en: 'Change a channel; what is not sent stays' },
    body: z.strictObject({
      ...readOnlyFields,
      ...channelFields,
      id,
      type: typeNumber.optional(),
      name: line(Limits.channelNameMax).trim().optional(),
      key: z.string().max(Limits.secretMax).optional(),
      models: z.string().max(Limits.listTextMax).optional(),
      status: z.int().optional(),
      base,
    }),
    data: Channel,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/channel/:id',
    access: 'admin',
    summary: { zh: '删除渠道', en: 'Delete a channel' },
    params: byId,
  }),
  bulk: endpoint({
    method: 'POST',
    path: '/api/channel/bulk',
    access: 'admin',
    summary: {
      zh: '批量修改或删除渠道：按 ID 或筛选条件，先预览，再一次全部完成',
      en: 'Change or delete many channels, by ids or by a filter: a preview first, then all of them or none',
    },
    body: BulkBody,
    data: BulkResult.extend({
      /** Added models that have no price in one of the channels. */
      unpriced: z.array(z.string()),
    }),
  }),
  copy: endpoint({
    method: 'POST',
    path: '/api/channel/copy',
    access: 'admin',
    idempotent: true,
    summary: {
      zh: '复制渠道，连同密钥；副本没有用量，处于禁用状态',
      en: 'Copy a channel with its key; the copy has no usage and is disabled',
    },
    body: z.strictObject({ id, name: line(Limits.channelNameMax).trim().min(1) }),
    data: Channel,
  }),
  exportFile: endpoint({
    method: 'POST',
    path: '/api/channel/export',
    access: 'admin',
    summary: {
      zh: '导出渠道为 JSON 或 CSV，不含密钥；超级管理员可以用口令加密后包含密钥',
      en: 'Export channels as JSON or CSV without secrets; for the super administrator with them, sealed by a passphrase',
    },
    body: ExportBody,
    data: ExportedFile,
  }),
  importFile: endpoint({
    method: 'POST',
    path: '/api/channel/import',
    access: 'admin',
    summary: {
      zh: '导入渠道文件：先预览，再一次全部完成；名称和类型相同的渠道会被修改',
      en: 'Import a file of channels: a preview first, then in one step; a channel of the same name and type is changed',
    },
    body: ImportBody,
    bodyMax: TRANSFER_BYTES_MAX,
    data: ImportResult,
  }),
  removeDisabled: endpoint({
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    summary: { zh: '删除所有已禁用的渠道', en: 'Delete all disabled channels' },
    data: z.int(),
  }),
  ...channelTests,
  explain: endpoint({
    method: 'GET',
    path: '/api/channel/explain',
    access: 'admin',
    summary: {
      zh: '某个分组请求某个模型时会考虑哪些渠道，以及排除的原因',
      en: 'Which channels a group would get for a model, and why others are left out',
    },
    query: z.object({ group: z.string().max(256).default('default'), model: z.string().min(1).max(256) }),
    data: z.object({
      considered: z.array(
        z.object({
          channel: z.int(),
          name: z.string(),
          group: z.string(),
          priority: z.int(),
          weight: z.int(),
          price: z.object({
            source: z.string(),
            input: z.string(),
            output: z.string(),
            /** The price of calls whose input is longer than `above` tokens. */
            tiers: z.array(z.object({ above: z.int(), input: z.string(), output: z.string() })),
          }),
        }),
      ),
      excluded: z.array(z.object({ channel: z.int(), name: z.string(), excluded: z.string() })),
    }),
  }),
  ...channelModels,
  ...channelAttention,
  tags: endpoint({
    method: 'GET',
    path: '/api/channel/tags',
    access: 'admin',
    summary: { zh: '渠道用到的标签', en: 'The tags that channels have' },
    data: z.array(z.string()),
  }),
  offeredModels: endpoint({
    method: 'GET',
    path: '/api/channel/offered_models',
    access: 'admin',
    summary: {
      zh: '渠道提供的模型，包括已停用的渠道',
      en: 'The models that channels offer, including disabled channels',
    },
    data: z.array(z.string()),
  }),
  updateAllBalances: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance',
    access: 'admin',
    effects: true,
    summary: { zh: '更新所有渠道的余额', en: 'Refresh the balances of all channels' },
  }),
  updateBalance: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance/:id',
    access: 'admin',
    effects: true,
    summary: { zh: '更新一个渠道的余额', en: 'Refresh the balance of one channel' },
    params: byId,
    extra: z.object({ balance: z.number() }),
  }),
}
