import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { echoed, email, line } from './fields.ts'
import { Limits } from './limits.ts'

/** What the browser keeps of the signed-in user: nothing secret. */
export const SessionUser = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  /** The account still has the password of the first start, which everybody knows. */
  default_password: z.boolean(),
})

export type SessionUser = z.infer<typeof SessionUser>

/** A password that is being set. Signing in accepts any text, so that older, shorter passwords still work. */
export const newPassword = z.string().min(Limits.passwordMin).max(Limits.passwordMax)

/** A name that is being chosen. Names made by the product itself may be longer. */
export const newUsername = line(Limits.usernameMax).trim().min(1)

/** Codes are letters and digits. */
const NOBODYS_CODE = '-'

const turnstileQuery = z.object({ turnstile: z.string().max(4096).default('') })
const mailQuery = turnstileQuery.extend({ email })

export const session = {
  login: endpoint({
    method: 'POST',
    path: '/api/user/login',
    access: 'public',
    limit: 'login',
    summary: { zh: '登录', en: 'Sign in' },
    body: z.strictObject({ username: z.string().min(1).max(256), password: z.string().min(1).max(1024) }),
    data: SessionUser,
  }),
  logout: endpoint({
    method: 'GET',
    path: '/api/user/logout',
    access: 'public',
    effects: true,
    summary: { zh: '退出登录', en: 'Sign out' },
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/user/register',
    access: 'public',
    limit: 'critical',
    idempotent: true,
    summary: { zh: '注册', en: 'Register' },
    query: turnstileQuery,
    body: z.strictObject({
      username: newUsername,
      password: newPassword,
      password2: z.string().max(1024).optional(),
      email: z.union([email, z.literal('')]).default(''),
      verification_code: z.string().max(32).default(''),
      /** Whatever came along in a link: one that is no code is nobody's invitation, and no reason to refuse a person. */
      aff_code: z.string().max(32).nullish().catch(NOBODYS_CODE),
      ...echoed('confirmPassword', 'submit'),
    }),
    beside: z.object({
      /** The invitation belongs to nobody (any more); the account was opened without it. */
      aff_ignored: z.boolean().optional(),
    }),
  }),
  verification: endpoint({
    method: 'GET',
    path: '/api/verification',
    access: 'public',
    limit: 'mail',
    effects: true,
    summary: { zh: '发送邮箱验证码', en: 'Send a verification code by e-mail' },
    query: mailQuery,
  }),
  requestReset: endpoint({
    method: 'GET',
    path: '/api/reset_password',
    access: 'public',
    limit: 'mail',
    effects: true,
    summary: { zh: '发送密码重置邮件', en: 'Send a password reset e-mail' },
    query: mailQuery,
  }),
  reset: endpoint({
    method: 'POST',
    path: '/api/user/reset',
    access: 'public',
    limit: 'critical',
    summary: { zh: '用邮件里的令牌重置密码', en: 'Reset the password with the token of the e-mail' },
    body: z.strictObject({ email, token: z.string().min(1).max(128) }),
    data: z.string(),
  }),
}
