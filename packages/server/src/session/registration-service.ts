import type { Received, session } from '@tollgate/contract'
import { GatewayError, type Language } from '../common/errors.ts'
import { type Db, transact } from '../database/client.ts'
import { addressTakenMail, verificationMail } from '../integrations/mail-templates.ts'
import type { OutgoingMail } from '../mail/outgoing-mail.ts'
import type { OptionsService } from '../options/options-service.ts'
import { hashPassword } from '../security/passwords.ts'
import { randomDigits } from '../security/random.ts'
import type { AccountsService } from '../users/accounts-service.ts'
import { nameKey, refuseInvisible } from '../users/name-key.ts'
import type { OpenAccount } from '../users/open-account.ts'
import type { MailCodes } from './mail-codes.ts'

export type RegistrationService = ReturnType<typeof createRegistrationService>

interface Needs {
  db: Db
  accounts: AccountsService
  codes: MailCodes
  mail: OutgoingMail
  openAccount: OpenAccount
  options: OptionsService
}

const CODE_VALID_SEC = 600

type Registration = Received<typeof session.register>['body']

export const createRegistrationService = ({ db, accounts, codes, mail, openAccount, options }: Needs) => {
  const refuseDomain = (email: string) => {
    const { EmailDomainRestrictionEnabled, EmailDomainWhitelist } = options.values()
    const domain = email.slice(email.lastIndexOf('@') + 1)
    if (EmailDomainRestrictionEnabled && !EmailDomainWhitelist.includes(domain)) {
      throw new GatewayError('register.email_domain')
    }
  }

  const refuseClosed = (registration: Registration) => {
    const value = options.values()
    if (!value.RegisterEnabled) throw new GatewayError('register.off')
    if (!value.PasswordRegisterEnabled) throw new GatewayError('register.password_off')
    const { password, password2, username } = registration
    if (password2 !== undefined && password2 !== password) throw new GatewayError('register.passwords_differ')
    if (password.toLowerCase() === username.toLowerCase()) throw new GatewayError('user.password_is_name')
  }

  return {
    /** The answer is the same whether the address is taken or not; only the mail says so. */
    async sendCode(address: string, language: Language) {
      const email = address.toLowerCase()
      refuseDomain(email)
      mail.refuseUnconfigured()
      await mail.refuseFlood(email)
      const { SystemName: systemName } = options.values()
      if (await accounts.isEmailTaken(email)) return mail.send(email, addressTakenMail({ language, systemName }))
      const code = randomDigits()
      await codes.issue('verify', email, code, CODE_VALID_SEC)
      await mail.send(email, verificationMail({ language, systemName, code }))
    },

    async register(registration: Registration, requestId: string) {
      refuseClosed(registration)
      const verified = options.values().EmailVerificationEnabled
      const email = registration.email.toLowerCase()
      const { username, verification_code: code } = registration
      if (verified && (email === '' || code === '')) throw new GatewayError('register.email_required')
      if (verified) refuseDomain(email)
      const affiliateCode = registration.aff_code ?? ''
      const inviter = affiliateCode === '' ? undefined : await accounts.findByAffiliateCode(affiliateCode)
      // A taken name is refused before the code is used up, so that the person can choose another one.
      refuseInvisible(username)
      if ((await accounts.findByNameKey(nameKey(username))) !== undefined)
        throw new GatewayError('register.username_taken')
      if (verified && !(await codes.use(db, 'verify', email, code))) throw new GatewayError('register.bad_code')
      const passwordHash = await hashPassword(registration.password)
      await transact(db, (tx) =>
        // An unverified address is not stored.
        openAccount(tx, { username, passwordHash, email: verified ? email : undefined, inviter, requestId }),
      )
      // The inviter's account may be gone; that is no fault of the invited person.
      return affiliateCode !== '' && inviter === undefined ? { aff_ignored: true } : {}
    },
  }
}
