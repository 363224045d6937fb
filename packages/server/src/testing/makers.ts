import { Role } from '@tollgate/contract'
import { transact } from '../database/client.ts'
import { hashPassword } from '../security/passwords.ts'
import type { TestApp } from './app.ts'
import { createClient } from './client.ts'

/** The password of every account created here. Hashed once, because hashing is slow on purpose. */
export const PASSWORD = 'correct horse battery'

const passwordHash = await hashPassword(PASSWORD)

interface UserOptions {
  username?: string
  role?: number
  quota?: number
  group?: string
  email?: string
}

let made = 0

/** An account with a signed-in client. */
export const makeUser = async (app: TestApp, options: UserOptions = {}) => {
  const username = options.username ?? `user${++made}`
  const { id } = await transact(app.db, async (tx) => {
    const user = await app.parts.openAccount(tx, {
      username,
      passwordHash,
      role: options.role ?? Role.user,
      group: options.group ?? 'default',
      email: options.email,
    })
    if (options.quota !== undefined) {
      await app.parts.ledger.post(tx, {
        kind: 'opening',
        ref: `test:${user.id}`,
        userId: user.id,
        delta: options.quota,
      })
    }
    return user
  })
  return { id, username, client: await signedIn(app, id) }
}

export const makeAdmin = (app: TestApp, options: UserOptions = {}) => makeUser(app, { ...options, role: Role.admin })

/** A client signed in as root. */
export const asRoot = (app: TestApp) => signedIn(app, 1)

export const signedIn = async (app: TestApp, userId: number) => {
  const user = await app.parts.accounts.find(userId)
  if (user === undefined) throw new Error(`There is no user ${userId}`)
  const cookie = await app.parts.sessions.open(user, { ip: '127.0.0.1', userAgent: 'test' })
  return createClient(app.url, { cookie: `session=${cookie}` })
}

/** Sets options as an administrator would, and fails the test when one is refused. */
export const setOptions = async (app: TestApp, values: Record<string, string | number | boolean>) => {
  const root = await asRoot(app)
  for (const [key, value] of Object.entries(values)) {
    const { success, message } = await root.put('/api/option/', { key, value: String(value) })
    if (!success) throw new Error(`${key}: ${message}`)
  }
}

/** Enables sign-in through GitHub, with an account bound to root: a sign-in method besides the password. */
export const withGitHub = async (app: TestApp) => {
  await app.db.updateTable('users').set({ github_id: 'root-at-github' }).where('role', '=', Role.root).execute()
  await setOptions(app, { GitHubClientId: 'id', GitHubClientSecret: 'secret', GitHubOAuthEnabled: true })
}
