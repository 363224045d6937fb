import { isAdmin, LogType } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import { type Db, transact } from '../database/client.ts'
import type { Mailer } from '../integrations/mail.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Rule } from '../limits/rule.ts'
import { takeAll } from '../limits/too-many-requests.ts'
import type { LogsService } from '../logs/logs-service.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { AccountsService } from '../users/accounts-service.ts'

export type OutgoingMail = ReturnType<typeof createOutgoingMail>

export interface Message {
  subject: string
  html: string
  text: string
}

/** Mailboxes must not be flooded through us, nor our sender reputation ruined by strangers. */
const SPACING: Rule = { name: 'mail-spacing', max: 1, windowSec: 30 }
const PER_MAILBOX: Rule = { name: 'mail-box', max: 5, windowSec: 3600 }
const IN_ALL: Rule = { name: 'mail-all', max: 1000, windowSec: 3600 }

interface Needs {
  db: Db
  mailer: Mailer
  options: OptionsService
  limiter: Limiter
  accounts: Pick<AccountsService, 'findRoot'>
  logs: LogsService
  log: Log
}

/** Mail through the server configured in the options. */
export const createOutgoingMail = ({ db, mailer, options, limiter, accounts, logs, log }: Needs) => {
  /** The user only learns that the mail failed; the operator learns why. */
  const report = async (reason: string) => {
    log.warn('A mail could not be sent', { reason })
    const root = await accounts.findRoot()
    if (root === undefined) return
    const content = { zh: `邮件发送失败：${reason}`, en: `A mail could not be sent: ${reason}` }
    await transact(db, (tx) => logs.note(tx, { user: root, type: LogType.system, content }))
  }

  return {
    /** For mails that anyone can trigger, whether or not the mailbox belongs to an account. */
    refuseFlood(to: string) {
      const counted: [Rule, string][] = [
        [SPACING, to],
        [PER_MAILBOX, to],
        [IN_ALL, ''],
      ]
      return takeAll(limiter, counted, 'mail.too_often')
    },

    refuseUnconfigured() {
      if (options.values().SMTPServer === '') throw new GatewayError('mail.not_configured')
    },

    async send(to: string, message: Message) {
      const { SMTPServer, SMTPPort, SMTPAccount, SMTPToken, SMTPFrom, SystemName } = options.values()
      if (SMTPServer === '') throw new GatewayError('mail.not_configured')
      const settings = {
        server: SMTPServer,
        port: SMTPPort,
        account: SMTPAccount,
        token: SMTPToken,
        from: SMTPFrom || SMTPAccount,
        senderName: SystemName,
      }
      try {
        await mailer.send(settings, { to, ...message })
      } catch (error) {
        await report(failureReason(error))
        throw error
      }
    },
  }
}

/** The same error with its reason, for administrators; others learn nothing about the mail server. */
export const withReasonFor = (actor: { role: number } | undefined, error: unknown) => {
  const explains = error instanceof GatewayError && error.code === 'mail.failed' && actor !== undefined
  if (!explains || !isAdmin(actor.role)) return error
  return new GatewayError('mail.failed_because', { reason: failureReason(error) }, { cause: error })
}

/** The mailer stores host, port and codes there, never the server's message: that may repeat the password. */
function failureReason(error: unknown) {
  return error instanceof GatewayError && error.cause instanceof Error ? error.cause.message : 'unknown'
}
