import { type APIRequestContext, expect, request } from '@playwright/test'

/** The common shape of every answer; tests read their own data from it. */
interface Answer {
  success: boolean
  message: string
  // biome-ignore lint/suspicious/noExplicitAny: the shapes are the contract's business; a test that errs here fails.
  data: any
}

export interface Account {
  username: string
  password: string
}

export const ROOT_ACCOUNT: Account = { username: 'root', password: 'root-password' }

let made = 0

/** A name that no other test of this run uses. */
export const unique = (prefix: string) => {
  made += 1
  return `${prefix}${process.pid.toString(36)}${made.toString(36)}`
}

/** The management API as one account, for setup before the first click. */
export async function signedInApi(url: string, account: Account) {
  const context = await request.newContext({
    baseURL: url,
    extraHTTPHeaders: { 'Accept-Language': 'en', 'X-Tollgate-Console': '1' },
  })
  const call = (method: string, path: string, data?: unknown) => send(context, method, path, data)
  const { data } = await call('POST', '/api/user/login', account)
  return {
    call,
    /** What a signed-in browser has: the same session serves both. */
    session: async () => ({ user: data, cookies: (await context.storageState()).cookies }),
    dispose: () => context.dispose(),

    async makeUser(more: { role?: 'admin' } = {}): Promise<Account> {
      const account = { username: unique('u'), password: 'a-good-password' }
      await call('POST', '/api/user/', { ...account, display_name: account.username })
      if (more.role === 'admin')
        await call('POST', '/api/user/manage', { username: account.username, action: 'promote' })
      return account
    },

    async makeToken(fields: Record<string, unknown> = {}) {
      const { data } = await call('POST', '/api/token/', { name: unique('token-'), remain_quota: 500_000, ...fields })
      return data
    },

    async makeChannel(fields: Record<string, unknown> = {}) {
      const body = { name: unique('channel-'), type: 1, key: 'sk-upstream', models: 'gpt-4o-mini', group: 'default' }
      await call('POST', '/api/channel/', { ...body, ...fields })
    },

    setOption: (key: string, value: string) => call('PUT', '/api/option/', { key, value }),
  }
}

/** Gives an account a balance. */
export async function fund(root: Api, { username }: Account) {
  const { data } = await root.call('GET', `/api/user/search?keyword=${username}`)
  await root.call('PUT', '/api/user/', { id: data[0].id, quota: 50_000_000 })
}

export type Api = Awaited<ReturnType<typeof signedInApi>>

async function send(context: APIRequestContext, method: string, path: string, data?: unknown): Promise<Answer> {
  const response = await context.fetch(path, { method, ...(data === undefined ? {} : { data }) })
  const answer = await response.json()
  expect(answer.success, `${method} ${path}: ${answer.message}`).toBe(true)
  return answer
}
