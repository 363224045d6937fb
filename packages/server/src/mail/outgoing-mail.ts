import { GatewayError } from '../errors.ts'
import type { Mailer } from '../integrations/mail.ts'
import type { Limiter, Rule } from '../limits/limiter.ts'
import { takeAll } from '../limits/too-many-requests.ts'
import type { OptionsService } from '../options/options-service.ts'

export type OutgoingMail = ReturnType<typeof createOutgoingMail>

export interface Message {
  subject: string
  html: string
  text: string
}

/** A mailbox is not to be flooded through us, and our sender's good name not to be spent by strangers. */
const SPACING: Rule = { name: 'mail-spacing', max: 1, windowSec: 30 }
const PER_MAILBOX: Rule = { name: 'mail-box', max: 5, windowSec: 3600 }
const IN_ALL: Rule = { name: 'mail-all', max: 1000, windowSec: 3600 }

interface Needs {
  mailer: Mailer
  options: OptionsService
  limiter: Limiter
}

/** Mail through the server that the options name. */
export const createOutgoingMail = ({ mailer, options, limiter }: Needs) => ({
  /** For mails that anybody can cause. It does not matter whether the mailbox belongs to an account. */
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
    await mailer.send(
      {
        server: SMTPServer,
        port: SMTPPort,
        account: SMTPAccount,
        token: SMTPToken,
        from: SMTPFrom || SMTPAccount,
        senderName: SystemName,
      },
      { to, ...message },
    )
  },
})
