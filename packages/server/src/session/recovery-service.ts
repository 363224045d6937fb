import { isAdmin, UserStatus } from '@tollgate/contract'
import { GatewayError, type Language } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import { type Db, transact } from '../database/client.ts'
import { resetMail } from '../integrations/mail-templates.ts'
import type { OutgoingMail } from '../mail/outgoing-mail.ts'
import type { OptionsService } from '../options/options-service.ts'
import { hashPassword } from '../security/passwords.ts'
import { randomHex, randomText } from '../security/random.ts'
import type { AccountsService, StoredUser } from '../users/accounts-service.ts'
import type { MailCodes } from './mail-codes.ts'

export type RecoveryService = ReturnType<typeof createRecoveryService>

interface Needs {
  db: Db
  accounts: AccountsService
  codes: MailCodes
  mail: OutgoingMail
  options: OptionsService
  log: Log
  /** The console's address when the option ServerAddress is empty. Never taken from a request. */
  ownAddress: string
}

const LINK_VALID_SEC = 1800
const PASSWORD_LENGTH = 20
const AFTER_ANSWER_MS = 50

/** Password recovery. The answers never reveal whether an address belongs to an account. */
export const createRecoveryService = ({ db, accounts, codes, mail, options, log, ownAddress }: Needs) => {
  const sendLink = async (user: StoredUser, email: string, token: string, language: Language) => {
    const { ServerAddress, SystemName: systemName } = options.values()
    const link = new URL('/user/reset', ServerAddress || ownAddress)
    link.search = new URLSearchParams({ email, token }).toString()
    await mail.send(email, resetMail({ language, systemName, username: user.username, link: link.href }))
  }

  return {
    async requestReset(address: string, language: Language) {
      const email = address.toLowerCase()
      mail.refuseUnconfigured()
      await mail.refuseFlood(email)
      const user = await accounts.findByEmail(email)
      // Also without an account: writing takes longer than reading, and would reveal it.
      const token = randomHex(32)
      await codes.issue('reset', email, token, LINK_VALID_SEC)
      if (user === undefined || !mayRecover(user)) return
      // After the answer: the time that the mail server takes would reveal it as well.
      setTimeout(() => {
        sendLink(user, email, token, language).catch((error) => log.error('A reset mail could not be sent', { error }))
      }, AFTER_ANSWER_MS)
    },

    async reset(address: string, token: string) {
      const email = address.toLowerCase()
      const password = randomText(PASSWORD_LENGTH)
      const hash = await hashPassword(password)
      // Each attempt counts even when it is refused, so it is not part of the transaction.
      if (!(await codes.use(db, 'reset', email, token))) throw new GatewayError('reset.bad_token')
      const user = await accounts.findByEmail(email)
      if (user === undefined || !mayRecover(user)) throw new GatewayError('reset.bad_token')
      await transact(db, (tx) => accounts.setPassword(tx, user.id, hash))
      return password
    },
  }
}

/** Administrators control the mail server; so that none of them can take over another, each has to enable recovery personally. */
function mayRecover(user: StoredUser) {
  return user.status === UserStatus.enabled && (!isAdmin(user.role) || user.external_login === 1)
}
