/** Rows on one page of any list. */
export const PAGE_SIZE = 10

/** Rows on one page of the log, which may be longer. */
export const LOG_PAGE_MAX = 100

/** Rows on one page of the channels, which may be longer. */
export const CHANNEL_PAGE_MAX = 100

/** Rows on one page of users, tokens, codes, models and the audit log, which may be longer. */
export const LIST_PAGE_MAX = 100

/** Rows of a search without a page. */
export const SEARCH_MAX = 1000

/** Bounds of everything a caller can write, so that no field can fill the disk. */
export const Limits = {
  usernameMax: 12,
  storedUsernameMax: 64,
  displayNameMax: 20,
  emailMax: 254,
  passwordMin: 8,
  passwordMax: 128,
  tokenNameMax: 30,
  redemptionNameMax: 20,
  redemptionCountMax: 100,
  channelNameMax: 100,
  channelTagMax: 64,
  keywordMax: 64,
  reasonMax: 200,
  listTextMax: 100_000,
  secretMax: 20_000,
  pageMax: 1_000_000,
} as const

/** Defaults of the forms. */
export const Defaults = {
  tokenQuota: 500_000,
  redemptionQuota: 100_000,
  redemptionCount: 1,
  azureApiVersion: '2024-03-01-preview',
  group: 'default',
} as const

export const SECONDS_PER_MONTH = 30 * 24 * 60 * 60
export const RESEND_COOLDOWN_SECONDS = 30
