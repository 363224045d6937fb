import { Role, UserStatus } from '@tollgate/contract'
import type { Db, Tx } from '../database/client.ts'
import { lookupHash, randomText } from '../security/random.ts'
import { nameKey } from './name-key.ts'
import { type IdentityColumn, usersRepository } from './users-repository.ts'

/** An account as another gateway kept it. */
export interface ImportedAccount extends Record<IdentityColumn, string> {
  username: string
  /** A bcrypt hash; replaced by one of ours when its owner signs in. */
  passwordHash: string
  passwordIsDefault: boolean
  displayName: string
  email: string
  role: number
  isEnabled: boolean
  group: string
  accessToken: string
  affiliateCode: string
  createdTime: number
}

/** Members of an account that only one account can have. */
const UNIQUE = ['email', 'github_id', 'wechat_id', 'lark_id', 'access_token_hash', 'aff_code'] as const
type Unique = Record<(typeof UNIQUE)[number], string | null>

/** Accounts of another gateway beside those that exist. What exists keeps what is unique. */
export const createAccountImport = async (db: Db) => {
  const known = await usersRepository(db).identities()
  const byName = new Map(known.map((user) => [user.username, user]))
  const names = new Set(known.flatMap(({ name_key }) => name_key ?? []))
  const taken = new Map(UNIQUE.map((member) => [member, new Set(known.map((user) => user[member]))]))

  /** The members that nobody has yet, and the names of those that somebody has. */
  const unique = (wanted: Unique) => {
    const given: Unique = { ...wanted }
    const lost: string[] = []
    for (const member of UNIQUE) {
      const value = wanted[member]
      if (value === null || value === '') given[member] = null
      else if (taken.get(member)?.has(value)) {
        given[member] = null
        lost.push(member)
      } else taken.get(member)?.add(value)
    }
    return { given, lost }
  }

  const identityOf = (account: ImportedAccount) =>
    unique({
      email: account.email.trim().toLowerCase(),
      github_id: account.github_id,
      wechat_id: account.wechat_id,
      lark_id: account.lark_id,
      access_token_hash: account.accessToken === '' ? null : lookupHash(account.accessToken),
      aff_code: account.affiliateCode,
    })

  return {
    isEmpty: known.length === 0,
    ids: known.map(({ id }) => id),
    existing: (username: string) => byName.get(username),

    /** Returns the names of members that another account has already. */
    async create(tx: Tx, id: number, account: ImportedAccount, now: number) {
      const { given, lost } = identityOf(account)
      const key = nameKey(account.username)
      // Two names that look alike may both exist where the account comes from.
      const name_key = names.has(key) ? null : key
      names.add(key)
      await usersRepository(tx).insert({
        ...{ id, username: account.username, name_key, password: account.passwordHash },
        ...{ display_name: account.displayName || account.username, role: account.role, group: account.group },
        password_default: account.passwordIsDefault ? 1 : 0,
        ...given,
        aff_code: given.aff_code ?? randomText(8),
        ...{ status: account.isEnabled ? UserStatus.enabled : UserStatus.banned, inviter_id: null },
        created_time: account.createdTime || now,
      })
      return lost
    },

    /** Root of a new installation, which nobody has signed in to, gets its password and identities from the other gateway. */
    async adopt(tx: Tx, account: ImportedAccount) {
      const own = byName.get(account.username)
      if (own === undefined || own.role < Role.root || own.password_default !== 1) return false
      const { given } = identityOf(account)
      const { aff_code: _code, ...identity } = given
      const password_default = account.passwordIsDefault ? 1 : 0
      await usersRepository(tx).update(own.id, { password: account.passwordHash, password_default, ...identity })
      return true
    },

    invite: (tx: Tx, id: number, inviterId: number) => usersRepository(tx).update(id, { inviter_id: inviterId }),
  }
}
