import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { email } from './api/fields.ts'
import { SessionUser } from './session.ts'

const callback = z.object({ code: z.string().min(1).max(1024), state: z.string().max(256).default('') })

export const OauthProvider = z.enum(['github', 'lark'])

export type OauthProvider = z.infer<typeof OauthProvider>

/** WeChat codes travel in the query of an authenticated call; anything but these characters is refused. */
const wechatCode = z.object({ code: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'oauth.bad_code' }) })

export const oauth = {
  state: endpoint({
    method: 'GET',
    path: '/api/oauth/state',
    access: 'public',
    limit: 'critical',
    effects: true,
    summary: { zh: '第三方登录用的一次性 state', en: 'A single-use state for signing in through a third party' },
    /** The service it was issued for; it is refused when the other one returns it. */
    query: z.object({ provider: OauthProvider.optional() }),
    data: z.string(),
  }),
  github: endpoint({
    method: 'GET',
    path: '/api/oauth/github',
    access: 'public',
    limit: 'critical',
    effects: true,
    summary: { zh: '完成 GitHub 登录或绑定', en: 'Finish signing in with GitHub, or binding it' },
    query: callback,
    data: SessionUser.nullish(),
  }),
  lark: endpoint({
    method: 'GET',
    path: '/api/oauth/lark',
    access: 'public',
    limit: 'critical',
    effects: true,
    summary: { zh: '完成飞书登录或绑定', en: 'Finish signing in with Lark, or binding it' },
    query: callback,
    data: SessionUser.nullish(),
  }),
  wechat: endpoint({
    method: 'GET',
    path: '/api/oauth/wechat',
    access: 'public',
    limit: 'critical',
    effects: true,
    summary: { zh: '用微信验证码登录', en: 'Sign in with a WeChat code' },
    query: wechatCode,
    data: SessionUser,
  }),
  bindWechat: endpoint({
    method: 'GET',
    path: '/api/oauth/wechat/bind',
    access: 'user',
    limit: 'critical',
    effects: true,
    summary: { zh: '绑定微信', en: 'Bind a WeChat account' },
    query: wechatCode,
  }),
  bindEmail: endpoint({
    method: 'GET',
    path: '/api/oauth/email/bind',
    access: 'user',
    limit: 'critical',
    effects: true,
    summary: { zh: '绑定邮箱', en: 'Bind an e-mail address' },
    query: z.object({ email, code: z.string().min(1).max(32) }),
  }),
}
