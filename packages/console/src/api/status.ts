import { queryOptions, useQuery } from '@tanstack/react-query'
import { QUOTA_PER_DOLLAR, Status, status as statusEndpoints } from '@tollgate/contract'
import { stored } from '../lib/browser/storage.ts'
import { errorsText } from '../text/errors.ts'
import { followSite, textNow } from '../text/text.ts'
import { call } from './call.ts'
import './failure.ts'

/** The site's status, fetched once at startup. Until it arrives, the last one stored in this browser applies. */
export const siteStatus = queryOptions({
  queryKey: ['status'],
  queryFn: async () => remember(await call(statusEndpoints.get)),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { failure: () => textNow(errorsText).cannotConnect },
})

export const useStatus = (): Status => useQuery(siteStatus).data ?? lastStatus()

/** False until the server has answered in this visit. */
export const useStatusKnown = () => useQuery(siteStatus).isSuccess

/** What a form's human check needs. Undefined until it is known whether a check is required. */
export function useHumanCheck() {
  const { isPending } = useQuery(siteStatus)
  const { turnstile_check, turnstile_site_key } = useStatus()
  return isPending ? undefined : { enabled: turnstile_check, siteKey: turnstile_site_key }
}

function remember(status: Status) {
  stored.write('status', JSON.stringify(status))
  stored.write('system_name', status.system_name)
  stored.write('logo', status.logo)
  stored.write('footer_html', status.footer_html)
  stored.write('quota_per_unit', String(status.quota_per_unit))
  stored.write('display_in_currency', String(status.display_in_currency))
  cached = status
  followSite(status.default_locale)
  return status
}

let cached: Status | undefined

export function lastStatus(): Status {
  cached ??= Status.safeParse(stored.readJson('status')).data ?? UNKNOWN
  return cached
}

const UNKNOWN: Status = {
  version: '',
  start_time: 0,
  system_name: 'Tollgate',
  logo: '',
  footer_html: '',
  theme: 'auto',
  default_locale: 'zh',
  quota_per_unit: QUOTA_PER_DOLLAR,
  display_in_currency: true,
  chat_link: '',
  top_up_link: '',
  server_address: '',
  password_login: true,
  password_register: true,
  register: true,
  email_verification: false,
  github_oauth: false,
  github_client_id: '',
  lark_client_id: '',
  wechat_login: false,
  wechat_qrcode: '',
  turnstile_check: false,
  turnstile_site_key: '',
  recording: null,
  oidc: false,
  oidc_client_id: '',
  oidc_well_known: '',
  oidc_authorization_endpoint: '',
  oidc_token_endpoint: '',
  oidc_userinfo_endpoint: '',
  releases_repository: '',
}
