import {
  Limits,
  LogType,
  type Received,
  Role,
  type User,
  type UserFilter,
  UserStatus,
  type users,
} from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import { GatewayError } from '../common/errors.ts'
import { refuseStale } from '../common/refuse-stale.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import { type AskedPage, pageWindow } from '../database/page-window.ts'
import { isUniqueViolation } from '../database/unique.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { rateLimitsText } from '../limits/stored-rate-limits.ts'
import type { LogsService } from '../logs/logs-service.ts'
import { quotaText } from '../logs/quota-text.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { RecordingsService } from '../recordings/recordings-service.ts'
import { hashPassword } from '../security/passwords.ts'
import { randomHex } from '../security/random.ts'
import { named, refuseInvisible } from './name-key.ts'
import type { OpenAccount } from './open-account.ts'
import { changedRole, refuseAccessToken, refuseHigherRank, refuseRoot } from './ranks.ts'
import { type StoredUser, toUser, type UserOrder, usersRepository } from './users-repository.ts'

export type UsersService = ReturnType<typeof createUsersService>

interface Needs {
  db: Db
  ledger: Ledger
  logs: LogsService
  options: OptionsService
  audit: AuditService
  openAccount: OpenAccount
  recordings: Pick<RecordingsService, 'removeOfUser'>
  notifications: { balanceFell(change: { userId: number; from: number; to: number }): Promise<unknown> }
}

type Edit = Received<typeof users.update>['body']
type Action = Received<typeof users.manage>['body']['action']

/** Administration of accounts. Permissions between roles are in `ranks.ts`. */
export const createUsersService = ({
  db,
  ledger,
  logs,
  options,
  audit,
  openAccount,
  notifications,
  recordings,
}: Needs) => {
  const amountText = (quota: number) => {
    const { DisplayInCurrencyEnabled: inCurrency, QuotaPerUnit: perUnit } = options.values()
    return quotaText(quota, { inCurrency, perUnit })
  }

  /**
   * Changes role or status; both end the sessions of the account, so that the change applies at once. Sign-in methods enabled in another
   * role are disabled: administrators are protected until they enable them personally.
   */
  const setRoleAndStatus = async (tx: Tx, user: StoredUser, change: { role?: number; status?: number }) => {
    const { role = user.role, status = user.status } = change
    if (role === user.role && status === user.status) return user
    await usersRepository(tx).revoke(user.id)
    return usersRepository(tx).update(user.id, { ...change, ...(role === user.role ? {} : { external_login: 0 }) })
  }

  const remove = async (tx: Tx, by: By, target: StoredUser) => {
    refuseRoot(target)
    const after = await setRoleAndStatus(tx, target, { status: UserStatus.deleted })
    await usersRepository(tx).update(target.id, named(`deleted_${randomHex(16)}`))
    await audit.record(tx, by, { action: 'user.remove', target: `user:${target.id}`, before: facts(target) })
    return after
  }

  const editBalance = async (tx: Tx, by: By, user: StoredUser, edit: Edit) => {
    if (edit.quota === undefined) return undefined
    const ref = Bun.randomUUIDv7()
    const balance = { userId: user.id, target: edit.quota, base: edit.quota_base, actorId: by.actor.id, ref }
    const { from, to } = await ledger.setBalance(tx, balance)
    if (from === to) return undefined
    const [before, after] = [amountText(from), amountText(to)]
    const content = {
      zh: `管理员将用户额度从 ${before.zh}修改为 ${after.zh}`,
      en: `An administrator changed the quota from ${before.en} to ${after.en}`,
    }
    await logs.note(tx, { user, type: LogType.manage, quota: to - from, content, requestId: by.requestId })
    return { userId: user.id, from, to }
  }

  return {
    async page({ p, page_size, order, ...filter }: UserFilter & AskedPage & { keyword?: string; order: UserOrder }) {
      const { rows, total } = await usersRepository(db).page(filter, pageWindow(p, page_size), order)
      return { rows: rows.map(toUser), total }
    },

    async get({ actor }: By, id: number): Promise<User> {
      const user = await found(db, id)
      if (user.id !== actor.id) refuseHigherRank(actor, user)
      return toUser(user)
    },

    async create(by: By, fields: Received<typeof users.create>['body']) {
      refusePasswordIsName(fields.password, fields.username)
      const passwordHash = await hashPassword(fields.password)
      return transact(db, async (tx) => {
        const { username, display_name: displayName, group = '' } = fields
        const { id } = await openAccount(tx, {
          ...{ username, passwordHash, displayName, group },
          requestId: by.requestId,
        })
        const user = await found(tx, id)
        await audit.record(tx, by, { action: 'user.create', target: `user:${id}`, after: facts(user) })
        return toUser(user)
      })
    },

    async update(by: By, edit: Edit) {
      if (edit.password && edit.id === by.actor.id) refuseAccessToken(by.actor)
      const passwordHash = edit.password ? await hashPassword(edit.password) : undefined
      const { user, fell } = await transact(db, async (tx) => {
        // Locked, so that what the base is compared with stays.
        if (edit.base !== undefined) await usersRepository(tx).lock(edit.id)
        const before = await found(tx, edit.id)
        refuseHigherRank(by.actor, before)
        const { username, display_name, group, role, status, rate_limits } = toUser(before)
        const now = { username, display_name, group, role, status, rate_limits }
        refuseStale({ base: edit.base, edit, now, path: '/api/user/' })
        refusePasswordIsName(edit.password, edit.username || before.username)
        await usersRepository(tx)
          .update(before.id, {
            ...renamed(edit.username, before),
            display_name: edit.display_name || before.display_name,
            group: edit.group || before.group,
            ...(edit.rate_limits == null ? {} : { rate_limits: rateLimitsText(edit.rate_limits) }),
            ...(passwordHash === undefined ? {} : { password: passwordHash, password_default: 0 }),
          })
          .catch(refuseTakenName)
        if (passwordHash !== undefined) await usersRepository(tx).revoke(before.id)
        await changeRoleAndStatus(tx, by, before, edit, setRoleAndStatus)
        const fell = await editBalance(tx, by, before, edit)
        const after = await found(tx, edit.id)
        await audit.record(tx, by, {
          action: 'user.update',
          target: `user:${edit.id}`,
          before: facts(before),
          after: { ...facts(after), ...(passwordHash === undefined ? {} : { password: 'changed' }) },
        })
        return { user: toUser(after), fell }
      })
      // After the commit, and not awaited: nobody waits for a mail server.
      if (fell !== undefined) void notifications.balanceFell(fell)
      return user
    },

    async remove(by: By, id: number) {
      await transact(db, async (tx) => {
        const target = await found(tx, id)
        refuseHigherRank(by.actor, target)
        await remove(tx, by, target)
      })
      await recordings.removeOfUser(id)
    },

    async manage(by: By, username: string, action: Action) {
      const { id, ...changed } = await transact(db, async (tx) => {
        const target = await usersRepository(tx).findByName(username)
        if (target === undefined) throw new GatewayError('user.not_found')
        refuseHigherRank(by.actor, target)
        if (action === 'delete') return { id: target.id, ...roleAndStatus(await remove(tx, by, target)) }
        const after = await setRoleAndStatus(tx, target, changeFor(by, target, action))
        const change = { before: facts(target), after: facts(after) }
        await audit.record(tx, by, { action: `user.${action}`, target: `user:${target.id}`, ...change })
        return { id: target.id, ...roleAndStatus(after) }
      })
      if (action === 'delete') await recordings.removeOfUser(id)
      return changed
    },

    /** For payment systems: with a reference, a payment reported twice is credited once. */
    topUp: (by: By, { user_id, quota, remark, reference }: Received<typeof users.adminTopUp>['body']) =>
      transact(db, async (tx) => {
        const user = await found(tx, user_id)
        const ref = reference ?? Bun.randomUUIDv7()
        const posting = { kind: 'topup', ref, userId: user.id, delta: quota, actorId: by.actor.id } as const
        const { fresh } = await ledger.post(tx, posting)
        if (!fresh) return
        const amount = amountText(quota)
        const content = {
          zh: remark || `通过 API 充值 ${amount.zh}`,
          en: remark || `Topped up ${amount.en} through the API`,
        }
        await logs.note(tx, { user, type: LogType.topUp, quota, content, requestId: by.requestId })
        await audit.record(tx, by, { action: 'user.topup', target: `user:${user.id}`, after: { quota, remark, ref } })
      }),
  }
}

async function found(db: Db, id: number) {
  const user = await usersRepository(db).find(id)
  if (user === undefined) throw new GatewayError('user.not_found')
  return user
}

function changeFor(by: By, target: StoredUser, action: Exclude<Action, 'delete'>) {
  if (action === 'promote' || action === 'demote') return { role: changedRole(by.actor, target, action) }
  if (action === 'disable') refuseRoot(target)
  return { status: action === 'disable' ? UserStatus.banned : UserStatus.enabled }
}

/** `PUT /api/user/` may contain role and status; changes follow the same rules as `manage`. */
async function changeRoleAndStatus(
  tx: Tx,
  by: By,
  user: StoredUser,
  edit: Edit,
  setRoleAndStatus: (tx: Tx, user: StoredUser, change: { role?: number; status?: number }) => Promise<StoredUser>,
) {
  if (edit.role !== undefined && edit.role !== user.role) {
    if (edit.role !== Role.admin && edit.role !== Role.user) throw new GatewayError('user.bad_role')
    await setRoleAndStatus(tx, user, {
      role: changedRole(by.actor, user, edit.role === Role.admin ? 'promote' : 'demote'),
    })
  }
  if (edit.status !== undefined && edit.status !== user.status) {
    if (edit.status !== UserStatus.enabled && edit.status !== UserStatus.banned)
      throw new GatewayError('user.bad_status')
    if (edit.status === UserStatus.banned) refuseRoot(user)
    await setRoleAndStatus(tx, user, { status: edit.status })
  }
}

function roleAndStatus({ role, status }: StoredUser) {
  return { role, status }
}

/** What a new name changes in the row. An unchanged name is not validated: it may be older than the rules. */
export function renamed(username: string | undefined, user: StoredUser) {
  if (!username || username === user.username) return {}
  if ([...username].length > Limits.usernameMax)
    throw new GatewayError('user.name_too_long', { max: Limits.usernameMax })
  refuseInvisible(username)
  return named(username)
}

export function refusePasswordIsName(password: string | undefined, username: string) {
  if (password && password.toLowerCase() === username.toLowerCase()) throw new GatewayError('user.password_is_name')
}

export function refuseTakenName(error: unknown): never {
  if (isUniqueViolation(error)) throw new GatewayError('register.username_taken')
  throw error
}

function facts({ username, display_name, group, role, status, quota, rate_limits }: StoredUser) {
  return { username, display_name, group, role, status, quota, rate_limits }
}
