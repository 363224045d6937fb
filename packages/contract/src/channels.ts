import { z } from 'zod'
import { BodyRule } from './body-rules.ts'
import { BulkBody, BulkResult } from './channel-bulk.ts'
import { channelFilter, channelPageSize } from './channel-filter.ts'
import { KeyOrder } from './channel-keys.ts'
import { isBaseUrl } from './channel-place.ts'
import { ExportBody, ExportedFile, ImportBody, ImportResult } from './channel-transfer.ts'
import { channelType } from './channel-types.ts'
import { endpoint } from './endpoint.ts'
import { FailureEnd } from './failure-ends.ts'
import { blankable, byId, echoed, id, keywordQuery, line, pageQuery } from './fields.ts'
import { HeaderRule } from './header-rules.ts'
import { Limits } from './limits.ts'
import { ModelListNews } from './model-list-news.ts'
import { PROXY_LOGIN_MAX, PROXY_MAX } from './proxy-url.ts'

export const ChannelStatus = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

export const CONNECT_TIMEOUT_MAX = 60
export const FIRST_BYTE_TIMEOUT_MAX = 900

const timeout = (max: number) => blankable(z.int().min(1).max(max)).optional()

/** The members of `config`. Those of `ChannelSecrets` are write-only. */
export const ChannelConfig = z.object({
  region: z.string().trim().max(256).optional(),
  ak: z.string().max(Limits.secretMax).optional(),
  sk: z.string().max(Limits.secretMax).optional(),
  user_id: z.string().trim().max(256).optional(),
  vertex_ai_project_id: z.string().trim().max(256).optional(),
  vertex_ai_adc: z.string().max(Limits.secretMax).optional(),
  api_version: z.string().max(256).optional(),
  library_id: z.string().max(256).optional(),
  plugin: z.string().max(4096).optional(),
  /** Marks for Claude's prompt cache: automatic for agents, for every call, or never. */
  prompt_caching: z.enum(['', 'always', 'never']).optional(),
  /** Headers to send or to leave out. Their values are write-only. */
  header_rules: z.array(HeaderRule).optional(),
  /** Members of JSON bodies to set, to add where they are absent, or to take out. */
  body_rules: z.array(BodyRule).optional(),
  /** Connect timeout in seconds; absent means the default. */
  connect_timeout: timeout(CONNECT_TIMEOUT_MAX),
  /** Timeout for the first byte in seconds. */
  first_byte_timeout: timeout(FIRST_BYTE_TIMEOUT_MAX),
  /** Failures that do not count against the channel: it neither cools down nor is disabled because of them. */
  ignored_failures: z.array(FailureEnd).max(FailureEnd.options.length).optional(),
  /** The proxy that leads to the provider, `socks5://host:port`; absent in an edit, it stays. */
  proxy: z.string().trim().max(PROXY_MAX).optional(),
  proxy_user: z.string().max(PROXY_LOGIN_MAX).optional(),
  proxy_password: z.string().max(PROXY_LOGIN_MAX).optional(),
})

export type ChannelConfig = z.infer<typeof ChannelConfig>

export const CHANNEL_SECRETS = [
  'ak',
  'sk',
  'vertex_ai_adc',
  'proxy_user',
  'proxy_password',
] as const satisfies readonly (keyof ChannelConfig)[]

export const Channel = z.object({
  id: z.int(),
  type: z.int(),
  name: z.string(),
  /** A label for sorting and filtering channels; may be empty. */
  tag: z.string(),
  /** Always empty: a stored key never leaves the server. */
  key: z.string(),
  /** The last four characters of the key, to distinguish two channels. */
  key_hint: z.string(),
  /** The size of the key pool; 0 when the channel has a single key. */
  key_count: z.int().default(0),
  /** How the next key of the pool is chosen. */
  key_order: KeyOrder.default('round_robin'),
  base_url: z.string(),
  other: z.string(),
  /** JSON text, or empty. Secrets are left out. */
  config: z.string(),
  /** Which secret members of `config` have a stored value. */
  config_secrets: z.array(z.string()),
  models: z.string(),
  group: z.string(),
  /** JSON text that maps requested to upstream model names, or empty. */
  model_mapping: z.string(),
  system_prompt: z.string(),
  test_model: z.string(),
  status: z.int(),
  /** Why the gateway disabled the channel; empty otherwise. */
  status_reason: z.string(),
  /** The same in English. */
  status_reason_en: z.string(),
  priority: z.int(),
  weight: z.int(),
  created_time: z.int(),
  test_time: z.int(),
  response_time: z.int(),
  /** Why the last test failed, in both languages; null when it passed or never ran. */
  test_error: z.object({ zh: z.string(), en: z.string() }).nullable(),
  balance: z.number(),
  balance_updated_time: z.int(),
  used_quota: z.int(),
  /** Models without a price, which are billed at the option `DefaultModelRatio`. */
  unpriced: z.array(z.string()),
  /** In lists: changes in the provider's model list. Null when there are none, or the list is not watched. */
  model_list: ModelListNews.nullable().default(null),
})

export type Channel = z.infer<typeof Channel>

const typeNumber = z.int().refine((value) => channelType(value) !== undefined, { error: 'channel.unknown_type' })

export const BASE_URL_MAX = 2048

/** A base address is http or https, without credentials, query or fragment. Empty means the vendor's own. */
const baseUrl = z
  .string()
  .trim()
  .max(BASE_URL_MAX)
  .refine((text) => text === '' || isBaseUrl(text), { error: 'channel.bad_base_url' })

const fields = {
  base_url: baseUrl.nullish(),
  other: z.string().max(4096).nullish(),
  config: z
    .string()
    .max(Limits.secretMax * 2)
    .optional(),
  model_mapping: z.string().max(Limits.listTextMax).nullish(),
  system_prompt: z.string().max(Limits.listTextMax).nullish(),
  test_model: z.string().max(256).nullish(),
  priority: blankable(z.int().min(-1_000_000_000).max(1_000_000_000)).optional(),
  weight: blankable(z.int().min(0).max(1_000_000_000)).optional(),
  group: z.string().max(1024).optional(),
  tag: line(Limits.channelTagMax).trim().nullish(),
  key_order: KeyOrder.optional(),
}

const readOnlyFields = echoed(
  'groups',
  'key_hint',
  'key_count',
  'config_secrets',
  'status_reason',
  'status_reason_en',
  'created_time',
  'test_time',
  'response_time',
  'test_error',
  'balance',
  'balance_updated_time',
  'used_quota',
  'unpriced',
  'model_list',
  'is_edit',
  'auto_ban',
  'openai_organization',
)

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

const TestResult = z.object({ time: z.number(), model: z.string(), modelName: z.string() })

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
      ...fields,
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
      ...fields,
      id,
      type: typeNumber.optional(),
      name: line(Limits.channelNameMax).trim().optional(),
      key: z.string().max(Limits.secretMax).optional(),
      models: z.string().max(Limits.listTextMax).optional(),
      status: z.int().optional(),
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
    data: BulkResult,
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
    data: ImportResult,
  }),
  removeDisabled: endpoint({
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    summary: { zh: '删除所有已禁用的渠道', en: 'Delete all disabled channels' },
    data: z.int(),
  }),
  testAll: endpoint({
    method: 'GET',
    path: '/api/channel/test',
    access: 'admin',
    effects: true,
    summary: { zh: '测试所有或已禁用的渠道', en: 'Test all channels, or the disabled ones' },
    query: z.object({ scope: z.enum(['all', 'disabled']).default('all') }),
  }),
  test: endpoint({
    method: 'GET',
    path: '/api/channel/test/:id',
    access: 'admin',
    effects: true,
    summary: { zh: '测试一个渠道', en: 'Test one channel' },
    params: byId,
    query: z.object({ model: z.string().max(256).default('') }),
    extra: TestResult,
  }),
  testProgress: endpoint({
    method: 'GET',
    path: '/api/channel/test_progress',
    access: 'admin',
    summary: { zh: '批量测试的进度', en: 'Progress of testing many channels' },
    data: z.object({ running: z.boolean(), total: z.int(), done: z.int(), failed: z.int() }),
  }),
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
  fetchModels: endpoint({
    method: 'GET',
    path: '/api/channel/fetch_models/:id',
    access: 'admin',
    effects: true,
    summary: { zh: '向上游查询渠道的模型列表', en: "Ask a channel's vendor for its models" },
    params: byId,
    data: z.object({ models: z.array(z.string()), added: z.array(z.string()), missing: z.array(z.string()) }),
  }),
  listModels: endpoint({
    method: 'POST',
    path: '/api/channel/fetch_models',
    access: 'admin',
    summary: {
      zh: '用尚未保存的密钥向上游查询模型列表',
      en: 'Ask a vendor for its models with a key that is not saved yet',
    },
    body: z.strictObject({
      type: typeNumber,
      base_url: baseUrl.default(''),
      key: z.string().max(Limits.secretMax * 10),
      other: z.string().max(4096).default(''),
      config: z
        .string()
        .max(Limits.secretMax * 2)
        .default(''),
    }),
    data: z.array(z.string()),
  }),
  unpriced: endpoint({
    method: 'GET',
    path: '/api/channel/unpriced',
    access: 'admin',
    summary: {
      zh: '已启用的渠道中没有价格的模型，及提供它们的渠道',
      en: 'The models of enabled channels that have no price, and the channels that offer them',
    },
    data: z.array(z.object({ model: z.string(), channels: z.array(z.int()) })),
  }),
  findUnpriced: endpoint({
    method: 'POST',
    path: '/api/channel/unpriced',
    access: 'admin',
    summary: {
      zh: '给出的模型中，哪些在这种渠道里没有价格',
      en: 'Which of these models would have no price in a channel of this type',
    },
    body: z.strictObject({
      type: typeNumber,
      models: z.array(z.string().max(256)).max(5000),
      model_mapping: z.string().max(Limits.listTextMax).default(''),
    }),
    data: z.array(z.string()),
  }),
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
  tags: endpoint({
    method: 'GET',
    path: '/api/channel/tags',
    access: 'admin',
    summary: { zh: '渠道用到的标签', en: 'The tags that channels have' },
    data: z.array(z.string()),
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
  models: endpoint({
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    summary: { zh: '所有已知模型', en: 'All known models' },
    data: z.array(z.object({ id: z.string(), object: z.literal('model'), owned_by: z.string() })),
    extra: z.object({ object: z.literal('list') }),
  }),
  modelsByType: endpoint({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    summary: { zh: '每种渠道的默认模型', en: 'Default models of each channel type' },
    data: z.record(z.string(), z.array(z.string())),
    /** Models without a price: their calls are billed at the ratio for unknown models. */
    extra: z.object({ unpriced: z.record(z.string(), z.array(z.string())) }),
  }),
}
