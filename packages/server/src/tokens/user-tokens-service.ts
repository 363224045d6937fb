import {
  LogType,
  type Received,
  type RecordingSettings,
  type Text,
  TokenStatus,
  type tokens,
  type UserToken,
  type UserTokenFilter,
} from '@tollgate/contract'
import type { AuditService, By } from '../audit/audit-service.ts'
import type { Actor } from '../common/actor.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { type Db, type Tx, transact } from '../database/client.ts'
import { type AskedPage, pageWindow } from '../database/page-window.ts'
import { rateLimitsText, storedRateLimits } from '../limits/stored-rate-limits.ts'
import type { LogsService } from '../logs/logs-service.ts'
import {
  recordingSettingsText,
  storedRecordingRequest,
  storedRecordingSettings,
} from '../recordings/stored-settings.ts'
import { allTokensRepository, type StoredUserToken, type UserTokenOrder } from './all-tokens-repository.ts'
import { endingKeysRepository } from './ending-keys-repository.ts'
import type { ActivityOf } from './key-activity.ts'
import { currentStatus, statusAfterEdit } from './token-status.ts'

export type UserTokensService = ReturnType<typeof createUserTokensService>

interface Needs {
  db: Db
  clock: Clock
  audit: AuditService
  logs: LogsService
  activityOf: ActivityOf
  /** Whether recording is enabled for the site. */
  isRecordingEnabled(): boolean
  /** The same rule as for acting on the owner. */
  refuseHigherRank(actor: Actor, owner: { id: number; role: number }): void
}

type Managing = Received<typeof tokens.manage>['body']

/** Administrators' view of users' keys. */
export const createUserTokensService = (needs: Needs) => {
  const { db, clock, audit, logs, activityOf, isRecordingEnabled, refuseHigherRank } = needs

  const wire = ({ blocked_by, ...row }: StoredUserToken): Omit<UserToken, 'activity'> => ({
    ...row,
    status: currentStatus(row, seconds(clock)),
    unlimited_quota: row.unlimited_quota === 1,
    rate_limits: storedRateLimits(row.rate_limits),
    admin_rate_limits: storedRateLimits(row.admin_rate_limits),
    fallback: row.fallback === 1,
    recording: storedRecordingSettings(row.recording),
    recording_request: storedRecordingRequest(row.recording_request),
    blocked: blocked_by !== 0,
  })

  /** A key that the administrator may manage, locked until the transaction ends. */
  const managed = async (tx: Tx, { actor }: By, id: number) => {
    const repository = allTokensRepository(tx)
    await repository.lock(id)
    const token = await repository.find(id)
    if (token === undefined) throw new GatewayError('token.not_found')
    refuseHigherRank(actor, { id: token.user_id, role: token.role })
    return token
  }

  return {
    async page({
      p,
      page_size,
      order,
      zone,
      ...filter
    }: UserTokenFilter & AskedPage & { order: UserTokenOrder; zone: string }) {
      const { rows, total } = await allTokensRepository(db).page({
        filter,
        order,
        window: pageWindow(p, page_size),
        now: seconds(clock),
      })
      const activity = new Map((await activityOf(rows, zone)).map((one) => [one.id, one]))
      return {
        rows: rows.map((row) => ({ ...wire(row), activity: activity.get(row.id) ?? unused(row.id) })),
        total,
      }
    },

    /** Those that will soon stop working, of everybody or of one user. */
    ending: (userId?: number) => endingKeysRepository(db).ending(seconds(clock), userId),

    manage: (by: By, { id, action, reason }: Managing) =>
      transact(db, async (tx) => {
        const before = await managed(tx, by, id)
        const change = action === 'disable' ? blocking(by.actor.id, reason) : lifting(before, seconds(clock))
        await allTokensRepository(tx).update(id, change)
        const after = { ...before, ...change }
        await audit.record(tx, by, {
          action: `token.${action}`,
          target: `token:${id}`,
          before: facts(before),
          after: facts(after),
        })
        const user = { id: before.user_id, username: before.username }
        const content = sentence(action, before.name, reason)
        await logs.note(tx, { user, type: LogType.manage, content, requestId: by.requestId })
        return wire(after)
      }),

    /** The owner's own limits stay, and apply where they are stricter. */
    setLimits: (by: By, { id, rate_limits }: Received<typeof tokens.setLimits>['body']) =>
      transact(db, async (tx) => {
        const before = await managed(tx, by, id)
        const change = { admin_rate_limits: rateLimitsText(rate_limits) }
        if (change.admin_rate_limits === before.admin_rate_limits) return wire(before)
        await allTokensRepository(tx).update(id, change)
        const after = wire({ ...before, ...change })
        const { user_id, username, name } = before
        await audit.record(tx, by, {
          action: 'token.limit',
          target: `token:${id}`,
          before: { rate_limits: wire(before).admin_rate_limits },
          after: { rate_limits: after.admin_rate_limits },
        })
        const content = change.admin_rate_limits === '' ? unlimited(name) : limited(name)
        const user = { id: user_id, username }
        await logs.note(tx, { user, type: LogType.manage, content, requestId: by.requestId })
        return after
      }),

    /** Only requests it: consent is a separate call, by the owner. */
    askRecording: (by: By, { id, settings, reason }: Received<typeof tokens.askRecording>['body']) =>
      transact(db, async (tx) => {
        if (settings !== null && !isRecordingEnabled()) throw new GatewayError('recording.not_enabled')
        if (settings !== null && reason === '') throw new GatewayError('recording.reason_missing')
        const before = await managed(tx, by, id)
        const change = {
          recording_request: settings === null ? '' : JSON.stringify({ settings, reason, declined: false }),
        }
        await allTokensRepository(tx).update(id, change)
        const { user_id, username, name } = before
        await audit.record(tx, by, {
          action: 'token.ask_recording',
          target: `token:${id}`,
          before: {
            user_id,
            username,
            name,
            request: storedRecordingRequest(before.recording_request)?.settings ?? null,
          },
          after: { user_id, username, name, request: settings, reason },
        })
        const user = { id: user_id, username }
        if (settings !== null) {
          const content = asked(name, reason)
          await logs.note(tx, { user, type: LogType.manage, content, requestId: by.requestId })
        }
        return wire({ ...before, ...change })
      }),

    /** By the owner. Agreeing switches recording on with the settings that the owner was shown, and no others. */
    answerRecording: (by: By, { id, agree, settings }: Received<typeof tokens.answerRecording>['body']) =>
      transact(db, async (tx) => {
        const repository = allTokensRepository(tx)
        await repository.lock(id)
        const before = await repository.find(id)
        if (before === undefined || before.user_id !== by.actor.id) throw new GatewayError('token.not_found')
        const request = storedRecordingRequest(before.recording_request)
        if (request === null || request.declined) throw new GatewayError('recording.not_asked')
        if (!isSame(request.settings, settings)) throw new GatewayError('recording.asked_otherwise')
        await repository.update(id, {
          ...(agree && { recording: recordingSettingsText(settings) }),
          recording_request: agree ? '' : JSON.stringify({ ...request, declined: true }),
        })
        await audit.record(tx, by, {
          action: agree ? 'token.agree_recording' : 'token.decline_recording',
          target: `token:${id}`,
          before: { recording: storedRecordingSettings(before.recording) },
          after: { recording: agree ? settings : storedRecordingSettings(before.recording) },
        })
      }),
  }
}

const isSame = (one: RecordingSettings, other: RecordingSettings) =>
  one.scope === other.scope && one.share === other.share && one.days === other.days && one.size === other.size

const asked = (name: string, reason: string): Text => ({
  zh: `管理员请你同意记录令牌“${name}”的调用，原因：${reason}`,
  en: `An administrator asks you to agree to recording the calls of the token “${name}”. Reason: ${reason}`,
})

const limited = (name: string): Text => ({
  zh: `管理员修改了令牌“${name}”的速率限制，编辑令牌时可以看到`,
  en: `An administrator changed the rate limits of the token “${name}”; they are shown where you edit it`,
})

const unlimited = (name: string): Text => ({
  zh: `管理员取消了对令牌“${name}”的速率限制`,
  en: `An administrator removed the rate limits that applied to the token “${name}”`,
})

function blocking(by: number, reason: string) {
  if (reason === '') throw new GatewayError('token.reason_missing')
  return { status: TokenStatus.disabled, blocked_by: by, blocked_reason: reason }
}

/** A key that an administrator disabled works again, unless its time or quota ran out meanwhile. */
function lifting(row: StoredUserToken, now: number) {
  if (row.blocked_by === 0) throw new GatewayError('token.not_blocked')
  return { status: statusAfterEdit({ ...row, status: TokenStatus.enabled }, now), blocked_by: 0, blocked_reason: '' }
}

function sentence(action: Managing['action'], name: string, reason: string): Text {
  return action === 'disable'
    ? {
        zh: `管理员禁用了令牌“${name}”，原因：${reason}`,
        en: `An administrator disabled the token “${name}”. Reason: ${reason}`,
      }
    : { zh: `管理员启用了令牌“${name}”`, en: `An administrator enabled the token “${name}”` }
}

const facts = ({ user_id, username, name, status, blocked_reason }: StoredUserToken) => ({
  ...{ user_id, username, name, status, reason: blocked_reason },
})

const unused = (id: number) => ({ id, spend: [], addresses: [], address_count: 0, unusual: null })
