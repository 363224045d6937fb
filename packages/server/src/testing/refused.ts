import { type ErrorCode, GatewayError, type Language } from '../common/errors.ts'

/** The answer that a refusal becomes, for `toMatchObject`. */
export const refused = (code: ErrorCode, values: Record<string, string | number> = {}, language: Language = 'zh') => {
  const error = new GatewayError(code, values)
  return { status: error.status, success: false, message: error.in(language) }
}
