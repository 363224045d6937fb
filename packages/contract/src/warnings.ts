import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { blankable, byId, id, line } from './api/fields.ts'
import { Limits } from './api/limits.ts'
import { BudgetScope } from './budgets.ts'
import { RULE_VALUE_MAX, RULES_MAX } from './channels/body-rules.ts'
import { FIRST_BYTE_TIMEOUT_MAX } from './channels/channel.ts'
import { BASE_URL_MAX } from './channels/channel-fields.ts'
import { CHANNEL_KEYS_AT_ONCE } from './channels/channel-keys.ts'
import { PROXY_MAX } from './channels/proxy-url.ts'
import type { OptionKey } from './options/options.ts'
import { quotaAboveZero, quotaBalance } from './quota.ts'

/** Everything that can be saved and would make all calls fail: of a model, a channel, a key, a user, or of everybody. */
export const WARNING_CODES = [
  'channel.orphans',
  'channel.mapping',
  'channel.key_header',
  'channel.needed_header',
  'channel.body_rule',
  'channel.body_value',
  'channel.first_byte',
  'channel.address',
  'channel.proxy',
  'channel.last_key',
  'token.models',
  'token.quota',
  'token.expired',
  'token.subnet',
  'user.group',
  'user.quota',
  'budget.small',
  'budget.spent',
  'option.alias',
  'option.fallback',
  'option.price',
  'option.proxy_price',
  'option.slow_channels',
] as const

/** The options whose values can make all calls fail. */
export const WARNED_OPTIONS = [
  ...(['ModelAliases', 'ModelFallbacks'] as const),
  ...([
    'PreConsumedQuota',
    'ModelRatio',
    'CompletionRatio',
    'GroupRatio',
    'DefaultModelRatio',
    'ProxyCallPrice',
  ] as const),
  ...(['AutomaticDisableChannelEnabled', 'ChannelDisableThreshold'] as const),
] satisfies OptionKey[]

/** What saving a change would break, in a sentence. It is no refusal: the change may be meant. */
export const Warning = z.object({ code: z.enum(WARNING_CODES), zh: z.string(), en: z.string() })

export type Warning = z.infer<typeof Warning>

const data = z.array(Warning)
const list = z.string().max(Limits.listTextMax)
const rules = <S extends z.ZodType>(rule: S) => z.array(rule).max(RULES_MAX)

/** The requests that a console sends before it saves: the relevant fields of the change, as they would be sent. */
export const warnings = {
  channel: endpoint({
    method: 'POST',
    path: '/api/channel/warnings',
    access: 'admin',
    summary: {
      zh: '保存渠道的这些修改会让哪些调用全部失败',
      en: 'Which calls would all fail if these changes of a channel were saved',
    },
    body: z.strictObject({
      /** Absent for a new channel. */
      id: id.optional(),
      type: z.int().optional(),
      status: z.int().optional(),
      group: z.string().max(1024).optional(),
      models: list.optional(),
      model_mapping: list.optional(),
      /** Without values, which are secrets. */
      header_rules: rules(z.strictObject({ name: z.string().max(128), action: z.enum(['set', 'remove']) })).optional(),
      body_rules: rules(
        z.strictObject({
          path: z.string().max(256),
          action: z.enum(['set', 'default', 'remove']),
          value: z.string().max(RULE_VALUE_MAX).optional(),
        }),
      ).optional(),
      first_byte_timeout: blankable(z.int().min(1).max(FIRST_BYTE_TIMEOUT_MAX)).optional(),
      base_url: z.string().trim().max(BASE_URL_MAX).optional(),
      proxy: z.string().trim().max(PROXY_MAX).optional(),
    }),
    data,
  }),
  channelKeys: endpoint({
    method: 'POST',
    path: '/api/channel/:id/keys/warnings',
    access: 'admin',
    summary: {
      zh: '暂停或删除渠道的这些密钥后，哪些调用会全部失败',
      en: 'Which calls would all fail if these keys of a channel were paused or removed',
    },
    params: byId,
    body: z.strictObject({ ids: z.array(id).min(1).max(CHANNEL_KEYS_AT_ONCE) }),
    data,
  }),
  token: endpoint({
    method: 'POST',
    path: '/api/token/warnings',
    access: 'user',
    summary: {
      zh: '保存令牌的这些修改后，它的调用是否会全部失败',
      en: 'Whether all calls with a token would fail if these changes were saved',
    },
    body: z.strictObject({
      id: id.optional(),
      models: list.optional(),
      remain_quota: blankable(quotaBalance).optional(),
      unlimited_quota: z.boolean().optional(),
      expired_time: z.int().optional(),
      subnet: z.string().max(4096).optional(),
    }),
    data,
  }),
  user: endpoint({
    method: 'POST',
    path: '/api/user/warnings',
    access: 'admin',
    summary: {
      zh: '保存用户的这些修改后，他的调用是否会全部失败',
      en: 'Whether all calls of a user would fail if these changes were saved',
    },
    body: z.strictObject({
      id,
      group: z.string().max(1024).optional(),
      quota: blankable(quotaBalance).optional(),
    }),
    data,
  }),
  budget: endpoint({
    method: 'POST',
    path: '/api/budget/warnings',
    access: 'user',
    summary: {
      zh: '这个预算是否连一次调用都不够',
      en: 'Whether this budget is too small for a single call',
    },
    body: z.strictObject({
      /** An existing budget; otherwise scope, target and model say what it applies to. */
      id: id.optional(),
      scope: BudgetScope.optional(),
      target: line(64).trim().default(''),
      model: line(100).trim().default(''),
      quota: quotaAboveZero,
    }),
    data,
  }),
  option: endpoint({
    method: 'POST',
    path: '/api/option/warnings',
    access: 'admin',
    summary: {
      zh: '保存这项设置会让哪些调用全部失败',
      en: 'Which calls would all fail if this setting were saved',
    },
    body: z.strictObject({ key: z.string().max(64), value: z.string() }),
    data,
  }),
}
