import type { OptionKey, OptionTab } from '@tollgate/contract'
import type { zh as options } from '../../../text/zh/options.ts'
import type { zh as settings } from '../../../text/zh/settings.ts'

export type SettingsTab = OptionTab | 'personal'
export type SectionId = keyof typeof settings.section
/** An option with texts; the compiler refuses to place one without. */
export type PlacedKey = OptionKey & keyof typeof options.label

export interface Section {
  /** Also the anchor in the URL: `/setting?tab=system#smtp`. */
  id: SectionId
  /** In display order, which is also the order of saving: an address is saved before the secret that is sent to it. */
  keys: readonly PlacedKey[]
}

/** Where every option is edited. */
export const SECTIONS: Record<OptionTab, readonly Section[]> = {
  operation: [
    {
      id: 'general',
      keys: [
        'TopUpLink',
        'ChatLink',
        'QuotaPerUnit',
        'RetryTimes',
        'RetrySeconds',
        'ReadOnSeconds',
        'RoutingPolicies',
        'DisplayInCurrencyEnabled',
        'DisplayTokenStatEnabled',
        'ApproximateTokenEnabled',
      ],
    },
    {
      id: 'logs',
      keys: [
        'LogConsumeEnabled',
        'LogRetentionDays',
        'RecordingEnabled',
        'RecordingShareMax',
        'RecordingDaysMax',
        'RecordingSizeMax',
      ],
    },
    {
      id: 'monitoring',
      keys: [
        'ChannelDisableThreshold',
        'QuotaRemindThreshold',
        'AutomaticDisableChannelEnabled',
        'AutomaticEnableChannelEnabled',
        'ModelListCheckEnabled',
      ],
    },
    {
      id: 'quota',
      keys: ['QuotaForNewUser', 'PreConsumedQuota', 'QuotaForInviter', 'QuotaForInvitee', 'ProxyCallPrice'],
    },
    { id: 'ratios', keys: ['ModelRatio', 'CompletionRatio', 'GroupRatio', 'DefaultModelRatio'] },
    { id: 'limits', keys: ['GroupRateLimits'] },
    { id: 'models', keys: ['ModelAliases', 'ModelFallbacks'] },
  ],
  system: [
    { id: 'server', keys: ['ServerAddress'] },
    {
      id: 'login',
      keys: [
        'PasswordLoginEnabled',
        'PasswordRegisterEnabled',
        'RegisterEnabled',
        'EmailVerificationEnabled',
        'GitHubOAuthEnabled',
        'WeChatAuthEnabled',
        'TurnstileCheckEnabled',
      ],
    },
    { id: 'domains', keys: ['EmailDomainRestrictionEnabled', 'EmailDomainWhitelist'] },
    { id: 'smtp', keys: ['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken'] },
    { id: 'github', keys: ['GitHubClientId', 'GitHubClientSecret'] },
    { id: 'lark', keys: ['LarkClientId', 'LarkClientSecret'] },
    { id: 'wechat', keys: ['WeChatServerAddress', 'WeChatServerToken', 'WeChatAccountQRCodeImageURL'] },
    { id: 'pusher', keys: ['MessagePusherAddress', 'MessagePusherToken'] },
    { id: 'turnstile', keys: ['TurnstileSiteKey', 'TurnstileSecretKey'] },
  ],
  other: [
    { id: 'updates', keys: [] },
    { id: 'notice', keys: ['Notice'] },
    { id: 'identity', keys: ['SystemName', 'DefaultLocale', 'Theme', 'Logo'] },
    { id: 'home', keys: ['HomePageContent'] },
    { id: 'about', keys: ['About'] },
    { id: 'footer', keys: ['Footer'] },
  ],
}
