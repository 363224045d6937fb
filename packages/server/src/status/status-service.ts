import type { Status } from '@tollgate/contract'
import { VERSION } from '../common/version.ts'
import type { OptionsService } from '../options/options-service.ts'

export type StatusService = ReturnType<typeof createStatusService>

interface Needs {
  options: OptionsService
  startedAt: number
  releasesRepository: string
}

export const createStatusService = ({ options, startedAt, releasesRepository }: Needs) => ({
  status(): Status {
    const value = options.values()
    return {
      version: VERSION,
      start_time: startedAt,
      system_name: value.SystemName,
      logo: value.Logo,
      footer_html: value.Footer,
      theme: value.Theme,
      default_locale: value.DefaultLocale,
      quota_per_unit: value.QuotaPerUnit,
      display_in_currency: value.DisplayInCurrencyEnabled,
      chat_link: value.ChatLink,
      top_up_link: value.TopUpLink,
      server_address: value.ServerAddress,
      password_login: value.PasswordLoginEnabled,
      password_register: value.PasswordRegisterEnabled,
      register: value.RegisterEnabled,
      email_verification: value.EmailVerificationEnabled,
      github_oauth: value.GitHubOAuthEnabled,
      github_client_id: value.GitHubClientId,
      lark_client_id: value.LarkClientId,
      wechat_login: value.WeChatAuthEnabled,
      wechat_qrcode: value.WeChatAccountQRCodeImageURL,
      turnstile_check: value.TurnstileCheckEnabled,
      turnstile_site_key: value.TurnstileSiteKey,
      recording: value.RecordingEnabled
        ? { share: value.RecordingShareMax, days: value.RecordingDaysMax, size: value.RecordingSizeMax }
        : null,
      oidc: false,
      oidc_client_id: '',
      oidc_well_known: '',
      oidc_authorization_endpoint: '',
      oidc_token_endpoint: '',
      oidc_userinfo_endpoint: '',
      releases_repository: releasesRepository,
    }
  },
  notice: () => options.values().Notice,
  about: () => options.values().About,
  homePageContent: () => options.values().HomePageContent,
  /** The groups are the names that have a ratio. */
  groups: () => [...options.values().GroupRatio.keys()],
})
