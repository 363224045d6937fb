import { Defaults, LogType, Role, type Text, UserStatus } from '@tollgate/contract'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Tx } from '../database/client.ts'
import { isUniqueViolation } from '../database/unique.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { LogsService } from '../logs/logs-service.ts'
import { quotaText } from '../logs/quota-text.ts'
import type { OptionsService } from '../options/options-service.ts'
import { randomText } from '../security/random.ts'
import type { TokensService } from '../tokens/tokens-service.ts'
import { named, refuseInvisible } from './name-key.ts'
import { type IdentityColumn, SERVICE_OF, type StoredUser, usersRepository } from './users-repository.ts'

export interface NewAccount {
  username: string
  /** Empty for accounts that only sign in through an external service. */
  passwordHash: string
  displayName?: string
  email?: string | undefined
  group?: string
  role?: number
  passwordIsDefault?: boolean
  identity?: { column: IdentityColumn; value: string }
  inviter?: StoredUser | undefined
  /** The request that creates it, for the log. */
  requestId?: string | undefined
}

export type OpenAccount = ReturnType<typeof createAccountOpener>

interface Gift {
  ref: string
  amount: number
  requestId: string | undefined
}

interface Needs {
  clock: Clock
  ledger: Ledger
  logs: LogsService
  options: OptionsService
  tokens: TokensService
}

/** Creates an account with everything that belongs to it: bonuses, their log entries, and a first API token. */
export const createAccountOpener = ({ clock, ledger, logs, options, tokens }: Needs) => {
  const grant = async (tx: Tx, user: StoredUser, { ref, amount, requestId }: Gift, why: Text) => {
    if (amount === 0) return
    await ledger.post(tx, { kind: 'bonus', ref, userId: user.id, delta: amount })
    const { DisplayInCurrencyEnabled: inCurrency, QuotaPerUnit: perUnit } = options.values()
    const text = quotaText(amount, { inCurrency, perUnit })
    const content = { zh: `${why.zh} ${text.zh}`, en: `${why.en}: ${text.en}` }
    await logs.note(tx, { user, type: LogType.system, quota: amount, content, requestId })
  }

  return async (tx: Tx, account: NewAccount): Promise<StoredUser> => {
    const user = await insertAccount(tx, account, seconds(clock))
    const { QuotaForNewUser, QuotaForInvitee, QuotaForInviter } = options.values()
    const { requestId } = account
    const signup = { ref: `signup:${user.id}`, amount: QuotaForNewUser, requestId }
    await grant(tx, user, signup, { zh: '新用户注册赠送', en: 'Gift for a new user' })
    if (account.inviter !== undefined) {
      const invitee = { ref: `invitee:${user.id}`, amount: QuotaForInvitee, requestId }
      await grant(tx, user, invitee, {
        zh: '使用邀请码赠送',
        en: 'Gift for using an invite code',
      })
      const inviter = { ref: `inviter:${user.id}`, amount: QuotaForInviter, requestId }
      await grant(tx, account.inviter, inviter, {
        zh: '邀请用户赠送',
        en: 'Gift for inviting a user',
      })
    }
    await tokens.createDefault(tx, user.id)
    return user
  }
}

async function insertAccount(tx: Tx, account: NewAccount, now: number) {
  refuseInvisible(account.username)
  try {
    return await usersRepository(tx).insert({
      ...named(account.username),
      password: account.passwordHash,
      password_default: account.passwordIsDefault === true ? 1 : 0,
      display_name: account.displayName || account.username,
      role: account.role ?? Role.user,
      status: UserStatus.enabled,
      email: account.email ?? null,
      github_id: null,
      wechat_id: null,
      lark_id: null,
      access_token_hash: null,
      group: account.group || Defaults.group,
      // 62^8 codes: a collision is not to be expected, and would only fail this one registration.
      aff_code: randomText(8),
      inviter_id: account.inviter?.id ?? null,
      created_time: now,
      ...(account.identity === undefined ? {} : { [account.identity.column]: account.identity.value }),
    })
  } catch (error) {
    throw isUniqueViolation(error) ? taken(error, account) : error
  }
}

/** Both engines name the column. A deleted account keeps its identity, so that nobody gets a second bonus. */
function taken(error: unknown, { identity }: NewAccount) {
  const text = String(error)
  if (/email/.test(text)) return new GatewayError('register.email_taken', {}, { cause: error })
  if (identity !== undefined && text.includes(identity.column)) {
    return new GatewayError('oauth.already_bound', { service: SERVICE_OF[identity.column] }, { cause: error })
  }
  return new GatewayError('register.username_taken', {}, { cause: error })
}
