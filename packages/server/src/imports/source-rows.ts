import { z } from 'zod'

/*
 * The rows of both gateways in one shape. Engines differ in how they return a number or a flag, and columns that one of them does not
 * have, or that an old version did not have yet, are empty: everything is read tolerantly, and judged where it is used.
 */

const absentAsNull = z.unknown().default(null)

const whole = absentAsNull.transform((value) => {
  const number = Math.trunc(Number(value))
  return Number.isSafeInteger(number) ? number : 0
})

/** Some engines return a column of JSON parsed. */
const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

// No database takes a NUL, and half a character would not survive either.
const text = absentAsNull.transform((value) =>
  value === null ? '' : asText(value).replaceAll('\0', '').toWellFormed().trim(),
)

const flag = absentAsNull.transform((value) => value === true || value === 'true' || Number(value) === 1)

/** Soft deletion: a time, in whatever form. */
const isThere = absentAsNull.transform((value) => value !== null && value !== '')

export const SourceUser = z.object({
  id: whole,
  username: text,
  password: text,
  display_name: text,
  role: whole,
  status: whole,
  email: text,
  github_id: text,
  wechat_id: text,
  lark_id: text,
  oidc_id: text,
  access_token: text,
  quota: whole,
  used_quota: whole,
  request_count: whole,
  group: text,
  aff_code: text,
  inviter_id: whole,
  created_at: whole,
  deleted_at: isThere,
})

export const SourceToken = z.object({
  id: whole,
  user_id: whole,
  key: text,
  status: whole,
  name: text,
  created_time: whole,
  accessed_time: whole,
  expired_time: whole,
  remain_quota: whole,
  unlimited_quota: flag,
  used_quota: whole,
  models: text,
  subnet: text,
  model_limits_enabled: flag,
  model_limits: text,
  allow_ips: text,
  group: text,
  deleted_at: isThere,
})

export const SourceChannel = z.object({
  id: whole,
  type: whole,
  key: text,
  status: whole,
  name: text,
  weight: whole,
  priority: whole,
  base_url: text,
  other: text,
  models: text,
  group: text,
  model_mapping: text,
  test_model: text,
  system_prompt: text,
  config: text,
  tag: text,
  channel_info: text,
  setting: text,
  param_override: text,
  header_override: text,
  status_code_mapping: text,
})

export const SourceCode = z.object({
  id: whole,
  user_id: whole,
  key: text,
  status: whole,
  name: text,
  quota: whole,
  created_time: whole,
  expired_time: whole,
  deleted_at: isThere,
})

export const SourceOption = z.object({
  key: text,
  value: absentAsNull.transform((value) => (value === null ? '' : String(value))),
})

export const SourceLog = z.object({
  id: whole,
  user_id: whole,
  created_at: whole,
  type: whole,
  content: text,
  username: text,
  token_name: text,
  model_name: text,
  quota: whole,
  prompt_tokens: whole,
  completion_tokens: whole,
  channel_id: whole,
  request_id: text,
  elapsed_time: whole,
  use_time: whole,
  is_stream: flag,
  other: text,
})

export type SourceUser = z.infer<typeof SourceUser>
export type SourceToken = z.infer<typeof SourceToken>
export type SourceChannel = z.infer<typeof SourceChannel>
export type SourceCode = z.infer<typeof SourceCode>
export type SourceLog = z.infer<typeof SourceLog>

/** The members of a JSON text; none if it is not an object. */
export const membersOf = (json: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}
