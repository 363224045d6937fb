import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { email } from './fields.ts'
import { aliasTable, fallbackTable } from './model-tables.ts'
import { QUOTA_MAX, QUOTA_PER_DOLLAR } from './quota.ts'
import { rateLimitTable } from './rate-limits.ts'
import { RECORDING_BOUNDS } from './recording-settings.ts'
import { routingTable } from './routing-policies.ts'
import { commaList } from './text.ts'

/*
 * Every option of the product. On the wire and in the database a value is text; `schema` parses it for the server and
 * rejects invalid values.
 */

/** Who may read a value: everybody (through the status call and its siblings), administrators, or nobody. */
export type OptionClass = 'public' | 'admin' | 'secret'

/** The settings tab an option belongs to. */
export type OptionTab = 'system' | 'operation' | 'other'

export type OptionKind =
  | 'toggle'
  | 'integer'
  | 'decimal'
  | 'text'
  | 'document'
  | 'link'
  | 'list'
  | 'ratios'
  | 'limits'
  | 'aliases'
  | 'fallbacks'
  | 'choice'

interface Option<S extends z.ZodType<unknown, string>> {
  kind: OptionKind
  tab: OptionTab
  class: OptionClass
  default: string
  schema: S
}

const option = <S extends z.ZodType<unknown, string>>(
  kind: OptionKind,
  placement: readonly [OptionTab, OptionClass],
  initial: string,
  schema: S,
): Option<S> => ({ kind, tab: placement[0], class: placement[1], default: initial, schema })

type Placement = readonly [OptionTab, OptionClass]

const toggle = (placement: Placement, initial: boolean) =>
  option(
    'toggle',
    placement,
    String(initial),
    z.enum(['true', 'false'], { error: 'option.toggle' }).transform((text) => text === 'true'),
  )

/** A message of its own for what is not a number; a number out of bounds gets the bound. */
const notANumber = (code: string) => (issue: { code?: string | undefined }) =>
  issue.code === 'invalid_type' ? code : undefined

const number = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

const integer = (placement: Placement, initial: number, min: number, max: number) =>
  option(
    'integer',
    placement,
    String(initial),
    z
      .string()
      .max(32)
      .transform(number)
      .pipe(
        z
          .int({ error: notANumber('option.integer') })
          .min(min)
          .max(max),
      ),
  )

const decimal = (placement: Placement, initial: number, min: number, max: number) =>
  option(
    'decimal',
    placement,
    String(initial),
    z
      .string()
      .max(32)
      .transform(number)
      .pipe(
        z
          .number({ error: notANumber('option.number') })
          .min(min)
          .max(max),
      ),
  )

const text = (placement: Placement, initial = '', max = 512) => option('text', placement, initial, z.string().max(max))
const document = (placement: Placement) => option('document', placement, '', z.string().max(200_000))

/** A URL that the browser or the server will open: http or https, or empty. */
const link = (placement: Placement) =>
  option(
    'link',
    placement,
    '',
    z
      .string()
      .trim()
      .max(2048)
      .refine((value) => value === '' || /^https?:$/.test(protocolOf(value)), { error: 'option.link' }),
  )

/** Like `link`, but a path on this server is allowed too. */
const picture = (placement: Placement) =>
  option(
    'link',
    placement,
    '',
    z
      .string()
      .trim()
      .max(200_000)
      .refine((value) => /^(|\/[^/\\].*|data:image\/(png|jpeg|gif|webp);.*|https?:\/\/.*)$/s.test(value), {
        error: 'option.picture',
      }),
  )

export const RATIO_MAX = 1_000_000

/** JSON text of names and factors. Parsed into a Map, so that a model called `constructor` is just a name. */
export const ratioTable = z
  .string()
  .max(1_000_000)
  .transform((value, context) => {
    const parsed = parseRatios(value)
    if (parsed !== undefined) return parsed
    context.addIssue({ code: 'custom', message: 'option.ratios' })
    return z.NEVER
  })

const ratios = (initial: Record<string, number>) =>
  option('ratios', ['operation', 'admin'], JSON.stringify(initial), ratioTable)

const system = ['system', 'admin'] as const
const shown = ['system', 'public'] as const
const secret = ['system', 'secret'] as const
const operation = ['operation', 'admin'] as const
const linkShown = ['operation', 'public'] as const
const other = ['other', 'public'] as const

export const DefaultLocale = z.enum(['zh', 'en', 'browser'], { error: 'option.locale' })

export const OPTIONS = {
  PasswordLoginEnabled: toggle(shown, true),
  PasswordRegisterEnabled: toggle(shown, true),
  RegisterEnabled: toggle(shown, true),
  EmailVerificationEnabled: toggle(shown, false),
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
  GitHubOAuthEnabled: toggle(shown, false),
  GitHubClientId: text(shown),
  GitHubClientSecret: text(secret),
  LarkClientId: text(shown),
  LarkClientSecret: text(secret),
  SMTPServer: text(system, '', 253),
  SMTPPort: integer(system, 587, 1, 65_535),
  SMTPAccount: text(system),
  SMTPFrom: option('text', system, '', z.union([email, z.literal('')])),
  SMTPToken: text(secret),
  ServerAddress: link(shown),
  WeChatAuthEnabled: toggle(shown, false),
  WeChatServerAddress: link(system),
  WeChatServerToken: text(secret),
  WeChatAccountQRCodeImageURL: picture(shown),
  MessagePusherAddress: link(system),
  MessagePusherToken: text(secret),
  TurnstileCheckEnabled: toggle(shown, false),
  TurnstileSiteKey: text(shown),
  TurnstileSecretKey: text(secret),

  Notice: document(other),
  About: document(other),
  SystemName: text(other, 'Tollgate', 64),
  Logo: picture(other),
  HomePageContent: document(other),
  Theme: option(
    'choice',
    other,
    'auto',
    z
      // The last three are names of an older console; they read as `auto`.
      .enum(['auto', 'light', 'dark', 'default', 'berry', 'air'], { error: 'option.theme' })
      .transform((value) => (value === 'light' || value === 'dark' ? value : 'auto')),
  ),
  /** The default language: of the console on a first visit, and of mails not triggered by a person. */
  DefaultLocale: option('choice', other, 'zh', DefaultLocale),
  Footer: document(other),

  QuotaForNewUser: integer(operation, 0, 0, QUOTA_MAX / 1000),
  QuotaForInviter: integer(operation, 0, 0, QUOTA_MAX / 1000),
  QuotaForInvitee: integer(operation, 0, 0, QUOTA_MAX / 1000),
  QuotaRemindThreshold: integer(operation, 1000, 0, QUOTA_MAX),
  PreConsumedQuota: integer(operation, 500, 0, QUOTA_MAX / 1000),
  ModelRatio: ratios({}),
  CompletionRatio: ratios({}),
  GroupRatio: ratios({ default: 1, vip: 1, svip: 1 }),
  /** Limits for each user of a group; a group without an entry has none. */
  GroupRateLimits: option('limits', operation, '{}', rateLimitTable),
  ModelAliases: option('aliases', operation, '{}', aliasTable),
  ModelFallbacks: option('fallbacks', operation, '{}', fallbackTable),
  TopUpLink: link(linkShown),
  ChatLink: link(linkShown),
  QuotaPerUnit: decimal(linkShown, QUOTA_PER_DOLLAR, 0.01, 1_000_000_000_000),
  AutomaticDisableChannelEnabled: toggle(operation, false),
  AutomaticEnableChannelEnabled: toggle(operation, false),
  ChannelDisableThreshold: decimal(operation, 5, 0, 3600),
  ModelListCheckEnabled: toggle(operation, false),
  LogConsumeEnabled: toggle(operation, true),
  DisplayInCurrencyEnabled: toggle(linkShown, true),
  DisplayTokenStatEnabled: toggle(operation, true),
  ApproximateTokenEnabled: toggle(operation, false),
  RetryTimes: integer(operation, 0, 0, 10),
  /** Seconds since the start of a call within which another channel may be tried; 0 for no limit. */
  RetrySeconds: integer(operation, 0, 0, 3600),
  /** Seconds to keep reading a stream after its client disconnected, to get its usage. */
  ReadOnSeconds: integer(operation, 5, 0, 60),
  /** Routing policy by group and model; the default is by priority and weight. */
  RoutingPolicies: option('text', operation, '[]', routingTable),
  /** For models without a price in the options or the price library. */
  DefaultModelRatio: decimal(operation, 30, 0, RATIO_MAX),
  /** The price of one call through a proxy channel. */
  ProxyCallPrice: integer(operation, 0, 0, QUOTA_MAX / 1000),
  /** Days after which logs are deleted; 0 keeps them. */
  LogRetentionDays: integer(operation, 0, 0, 36_500),
  /** Whether owners of keys may record bodies of their calls, and the maximum share, days and KB per body. */
  RecordingEnabled: toggle(linkShown, false),
  RecordingShareMax: integer(linkShown, 100, 1, 100),
  RecordingDaysMax: integer(linkShown, 7, 1, RECORDING_BOUNDS.daysMax),
  RecordingSizeMax: integer(linkShown, 256, 1, RECORDING_BOUNDS.sizeMax),
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
    }),
  }),
}

function protocolOf(value: string) {
  return URL.canParse(value) ? new URL(value).protocol : ''
}

function parseRatios(value: string): Map<string, number> | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(value.trim() === '' ? '{}' : value)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
  const entries = Object.entries(parsed)
  const sound = entries.every(
    ([name, ratio]) => name !== '' && name.length <= 256 && Number.isFinite(ratio) && ratio >= 0 && ratio <= RATIO_MAX,
  )
  return sound ? new Map(entries) : undefined
}
