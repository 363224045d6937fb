import { Limits } from '@tollgate/contract'
import type { Words } from '../../text/words.ts'
import type { zh } from '../../text/zh/session.ts'

export interface RegistrationFields {
  username: string
  password: string
  password2: string
  email: string
  verification_code: string
}

/** Validation errors by field. The maximum password length is only a hint; the server's limit is higher. */
export function registrationErrors(
  fields: RegistrationFields,
  text: Words<typeof zh>,
): Partial<Record<keyof RegistrationFields, string>> {
  const { username, password, password2 } = fields
  const short = password.length < Limits.passwordMin
  return {
    ...(username.trim() === '' && { username: text.needUsername }),
    ...(short && { password: password === '' ? text.needPassword : text.passwordShort }),
    ...(!short && password !== password2 && { password2: text.passwordsDiffer }),
  }
}
