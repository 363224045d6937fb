import { z } from 'zod'
import { blankable } from '../api/fields.ts'
import { Limits } from '../api/limits.ts'
import { ModelListNews } from '../models/model-list-news.ts'
import { BodyRule } from './body-rules.ts'
import { KeyOrder } from './channel-keys.ts'
import { FailureEnd } from './failure-ends.ts'
import { HeaderRule } from './header-rules.ts'
import { PROXY_LOGIN_MAX, PROXY_MAX } from './proxy-url.ts'

export const ChannelStatus = { enabled: 1, disabled: 2, autoDisabled: 3 } as const

export const CONNECT_TIMEOUT_MAX = 60
export const FIRST_BYTE_TIMEOUT_MAX = 900

const timeout = (max: number) => blankable(z.int().min(1).max(max)).optional()

/** The members of `config`. Those of `CHANNEL_SECRETS` are write-only. */
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
