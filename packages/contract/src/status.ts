import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { DefaultLocale } from './options/options.ts'
import { RecordingMaxima } from './recordings/recording-settings.ts'

/** What a browser needs to know before anyone signed in. */
export const Status = z.object({
  version: z.string(),
  start_time: z.int(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  theme: z.enum(['auto', 'light', 'dark']),
  /** The language on a first visit. */
  default_locale: DefaultLocale.default('zh'),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  chat_link: z.string(),
  top_up_link: z.string(),
  server_address: z.string(),
  password_login: z.boolean(),
  password_register: z.boolean(),
  register: z.boolean(),
  email_verification: z.boolean(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  lark_client_id: z.string(),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  /** The maxima for recordings by owners of keys; null when the administrator has not enabled them. */
  recording: RecordingMaxima.nullable().default(null),
  /** OpenID Connect is not supported; older consoles read these fields unconditionally. */
  oidc: z.boolean().default(false),
  oidc_client_id: z.string().default(''),
  oidc_well_known: z.string().default(''),
  oidc_authorization_endpoint: z.string().default(''),
  oidc_token_endpoint: z.string().default(''),
  oidc_userinfo_endpoint: z.string().default(''),
  /** `owner/name` on GitHub, checked for new releases; empty when not configured. */
  releases_repository: z.string().default(''),
})

export type Status = z.infer<typeof Status>

export const status = {
  get: endpoint({
    method: 'GET',
    path: '/api/status',
    access: 'public',
    summary: { zh: '站点状态', en: 'State of the site' },
    data: Status,
  }),
  notice: endpoint({
    method: 'GET',
    path: '/api/notice',
    access: 'public',
    summary: { zh: '公告', en: 'Notice' },
    data: z.string(),
  }),
  about: endpoint({
    method: 'GET',
    path: '/api/about',
    access: 'public',
    summary: { zh: '关于页面的内容', en: 'Content of the about page' },
    data: z.string(),
  }),
  homePageContent: endpoint({
    method: 'GET',
    path: '/api/home_page_content',
    access: 'public',
    summary: { zh: '首页内容', en: 'Content of the home page' },
    data: z.string(),
  }),
}
