import type { Text } from '@tollgate/contract'
import { ACCOUNT_ERRORS } from './error-catalogue/accounts.ts'
import { ALERT_ERRORS } from './error-catalogue/alerts.ts'
import { CHANNEL_FILE_ERRORS } from './error-catalogue/channel-files.ts'
import { CHANNEL_ERRORS } from './error-catalogue/channels.ts'
import { OPTION_ERRORS } from './error-catalogue/options.ts'
import { RELAY_ERRORS } from './error-catalogue/relay.ts'
import { RELAY_TASK_ERRORS } from './error-catalogue/relay-tasks.ts'
import { REQUEST_ERRORS } from './error-catalogue/requests.ts'
import { SITE_ERRORS } from './error-catalogue/site.ts'
import { TOKEN_ERRORS } from './error-catalogue/tokens.ts'

/** Every error of the product, once, in both languages. `{name}` is filled from the error's values. */
const CATALOGUE = {
  ...ACCOUNT_ERRORS,
  ...TOKEN_ERRORS,
  ...ALERT_ERRORS,
  ...CHANNEL_ERRORS,
  ...CHANNEL_FILE_ERRORS,
  ...OPTION_ERRORS,
  ...REQUEST_ERRORS,
  ...RELAY_ERRORS,
  ...RELAY_TASK_ERRORS,
  ...SITE_ERRORS,
}

export type ErrorCode = keyof typeof CATALOGUE

export type Language = 'zh' | 'en'

/** A value that is itself a sentence is given in both languages. */
type Values = Record<string, string | number | Text>

interface Options extends ErrorOptions {
  /** Members next to the message, where existing clients read them even in an error. */
  extra?: Record<string, unknown>
}

/** The only error the server throws on purpose. Its text and `values` may be shown to anyone. */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly values: Values
  readonly extra: Record<string, unknown> | undefined

  constructor(code: ErrorCode, values: Values = {}, options?: Options) {
    super(fill(CATALOGUE[code].en, values, 'en'), options)
    this.name = 'GatewayError'
    this.code = code
    this.values = values
    this.extra = options?.extra
  }

  get status(): number {
    return CATALOGUE[this.code].status
  }

  /** The field that the error is about, so that a form can show it there. */
  get field(): string | undefined {
    const { field } = this.values
    return typeof field === 'string' ? field : CATALOGUE[this.code].field
  }

  in(language: Language) {
    return fill(CATALOGUE[this.code][language], this.values, language)
  }
}

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(CATALOGUE, text)
export const errorText = (code: ErrorCode, language: Language) => CATALOGUE[code][language]

function fill(text: string, values: Values, language: Language) {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? whole
    return typeof value === 'object' ? value[language] : String(value)
  })
}
