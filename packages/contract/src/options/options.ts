import { z } from 'zod'
import { endpoint } from '../api/endpoint.ts'
import { email } from '../api/fields.ts'
import { commaList } from '../api/text.ts'
import { aliasTable, fallbackTable } from '../models/model-tables.ts'
import { QUOTA_MAX, QUOTA_PER_DOLLAR } from '../quota.ts'
import { rateLimitTable } from '../rate-limits.ts'
import { RECORDING_BOUNDS } from '../recordings/recording-settings.ts'
import { routingTable } from '../routes/routing-policies.ts'
import { decimal, document, integer, link, option, picture, RATIO_MAX, ratios, text, toggle } from './option-kinds.ts'

/*
 * Every option of the product: its kind, where it is set and who may read it, its default and its bounds. On the wire and in the database
 * a value is text.
 */

const system = ['system', 'admin'] as const
const systemPublic = ['system', 'public'] as const
const systemSecret = ['system', 'secret'] as const
const operation = ['operation', 'admin'] as const
const operationPublic = ['operation', 'public'] as const
const otherPublic = ['other', 'public'] as const

export const DefaultLocale = z.enum(['zh', 'en', 'browser'], { error: 'option.locale' })

export const OPTIONS = {
  PasswordLoginEnabled: toggle(systemPublic, true),
  PasswordRegisterEnabled: toggle(systemPublic, true),
  RegisterEnabled: toggle(systemPublic, true),
  EmailVerificationEnabled: toggle(systemPublic, false),
  EmailDomainRestrictionEnabled: toggle(system, false),
  EmailDomainWhitelist: option(
    'list',
    system,
    'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
    z
      .string()
      .max(20_000)
      .transform((value) => commaList(value.toLowerCase())),
  ),
  GitHubOAuthEnabled: toggle(systemPublic, false),
  GitHubClientId: text(systemPublic),
  GitHubClientSecret: text(systemSecret),
  LarkClientId: text(systemPublic),
  LarkClientSecret: text(systemSecret),
  SMTPServer: text(system, '', 253),
  SMTPPort: integer(system, { initial: 587, min: 1, max: 65_535 }),
  SMTPAccount: text(system),
  SMTPFrom: option('text', system, '', z.union([email, z.literal('')])),
  SMTPToken: text(systemSecret),
  ServerAddress: link(systemPublic),
  WeChatAuthEnabled: toggle(systemPublic, false),
  WeChatServerAddress: link(system),
  WeChatServerToken: text(systemSecret),
  WeChatAccountQRCodeImageURL: picture(systemPublic),
  MessagePusherAddress: link(system),
  MessagePusherToken: text(systemSecret),
  TurnstileCheckEnabled: toggle(systemPublic, false),
  TurnstileSiteKey: text(systemPublic),
  TurnstileSecretKey: text(systemSecret),

  Notice: document(otherPublic),
  About: document(otherPublic),
  SystemName: text(otherPublic, 'Tollgate', 64),
  Logo: picture(otherPublic),
  HomePageContent: document(otherPublic),
  Theme: option(
    'choice',
    otherPublic,
    'auto',
    z
      // The last three are names of an older console; they read as `auto`.
      .enum(['auto', 'light', 'dark', 'default', 'berry', 'air'], { error: 'option.theme' })
      .transform((value) => (value === 'light' || value === 'dark' ? value : 'auto')),
  ),
  /** The default language: of the console on a first visit, and of mails not triggered by a person. */
  DefaultLocale: option('choice', otherPublic, 'zh', DefaultLocale),
  Footer: document(otherPublic),

  QuotaForNewUser: integer(operation, { initial: 0, min: 0, max: QUOTA_MAX / 1000 }),
  QuotaForInviter: integer(operation, { initial: 0, min: 0, max: QUOTA_MAX / 1000 }),
  QuotaForInvitee: integer(operation, { initial: 0, min: 0, max: QUOTA_MAX / 1000 }),
  QuotaRemindThreshold: integer(operation, { initial: 1000, min: 0, max: QUOTA_MAX }),
  PreConsumedQuota: integer(operation, { initial: 500, min: 0, max: QUOTA_MAX / 1000 }),
  ModelRatio: ratios({}),
  CompletionRatio: ratios({}),
  GroupRatio: ratios({ default: 1, vip: 1, svip: 1 }),
  /** Limits for each user of a group; a group without an entry has none. */
  GroupRateLimits: option('limits', operation, '{}', rateLimitTable),
  ModelAliases: option('aliases', operation, '{}', aliasTable),
  ModelFallbacks: option('fallbacks', operation, '{}', fallbackTable),
  TopUpLink: link(operationPublic),
  ChatLink: link(operationPublic),
  QuotaPerUnit: decimal(operationPublic, { initial: QUOTA_PER_DOLLAR, min: 0.01, max: 1_000_000_000_000 }),
  AutomaticDisableChannelEnabled: toggle(operation, false),
  AutomaticEnableChannelEnabled: toggle(operation, false),
  ChannelDisableThreshold: decimal(operation, { initial: 5, min: 0, max: 3600 }),
  ModelListCheckEnabled: toggle(operation, false),
  LogConsumeEnabled: toggle(operation, true),
  DisplayInCurrencyEnabled: toggle(operationPublic, true),
  DisplayTokenStatEnabled: toggle(operation, true),
  ApproximateTokenEnabled: toggle(operation, false),
  RetryTimes: integer(operation, { initial: 0, min: 0, max: 10 }),
  /** Seconds since the start of a call within which another channel may be tried; 0 for no limit. */
  RetrySeconds: integer(operation, { initial: 0, min: 0, max: 3600 }),
  /** Seconds to keep reading a stream after its client disconnected, to get its usage. */
  ReadOnSeconds: integer(operation, { initial: 5, min: 0, max: 60 }),
  /** Routing policy by group and model; the default is by priority and weight. */
  RoutingPolicies: option('text', operation, '[]', routingTable),
  /** For models without a price in the options or the price library. */
  DefaultModelRatio: decimal(operation, { initial: 30, min: 0, max: RATIO_MAX }),
  /** The price of one call through a proxy channel. */
  ProxyCallPrice: integer(operation, { initial: 0, min: 0, max: QUOTA_MAX / 1000 }),
  /** Days after which logs are deleted; 0 keeps them. */
  LogRetentionDays: integer(operation, { initial: 0, min: 0, max: 36_500 }),
  /** Whether owners of keys may record bodies of their calls, and the maximum share, days and KB per body. */
  RecordingEnabled: toggle(operationPublic, false),
  RecordingShareMax: integer(operationPublic, { initial: 100, min: 1, max: 100 }),
  RecordingDaysMax: integer(operationPublic, { initial: 7, min: 1, max: RECORDING_BOUNDS.daysMax }),
  RecordingSizeMax: integer(operationPublic, { initial: 256, min: 1, max: RECORDING_BOUNDS.sizeMax }),
}

export type OptionKey = keyof typeof OPTIONS
export type OptionValues = { [K in OptionKey]: z.output<(typeof OPTIONS)[K]['schema']> }

export const OPTION_KEYS = Object.keys(OPTIONS) as OptionKey[]
export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(OPTIONS, key)

export const options = {
  list: endpoint({
    method: 'GET',
    path: '/api/option/',
    access: 'admin',
    summary: { zh: '所有可见的设置；敏感值不会返回', en: 'All settings that may be seen; secrets are not returned' },
    data: z.array(z.object({ key: z.string(), value: z.string() })),
    extra: z.object({
      /** Keys of the secrets that have a value. */
      secrets_set: z.array(z.string()),
    }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/option/',
    access: 'admin',
    summary: { zh: '修改一项设置', en: 'Change one setting' },
    body: z.strictObject({
      key: z.string().max(64),
      value: z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]),
      /** What the form showed when it was changed. With it, a value that somebody else has saved since is not overwritten. */
      base: z.string().optional(),
    }),
  }),
}
