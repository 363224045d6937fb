import { alertRulesRepository } from '../alerts/alert-rules-repository.ts'
import { seconds } from '../common/clock.ts'
import { createGitHub } from '../integrations/github.ts'
import { createLark } from '../integrations/lark.ts'
import { createMailer } from '../integrations/mail.ts'
import { createPusher } from '../integrations/pusher.ts'
import { createTurnstile } from '../integrations/turnstile.ts'
import { createWeChat } from '../integrations/wechat.ts'
import { createLedgerAlarm } from '../jobs/ledger-alarm.ts'
import { createPasswordGuesses } from '../limits/password-guesses.ts'
import { createOutgoingMail } from '../mail/outgoing-mail.ts'
import { createNotificationsService } from '../notifications/notifications-service.ts'
import { createOauthService } from '../oauth/oauth-service.ts'
import { createOauthStates } from '../oauth/oauth-states.ts'
import { createRedemptionsService } from '../redemptions/redemptions-service.ts'
import { createHumanCheck } from '../session/human-check.ts'
import { createKnownDevices } from '../session/known-devices.ts'
import { createLoginService } from '../session/login-service.ts'
import { createMailCodes } from '../session/mail-codes.ts'
import { createRecoveryService } from '../session/recovery-service.ts'
import { createRegistrationService } from '../session/registration-service.ts'
import { createSessionsService } from '../session/sessions-service.ts'
import { createStatusService } from '../status/status-service.ts'
import { createKeyActivity } from '../tokens/key-activity.ts'
import { createSeenAddresses } from '../tokens/seen-addresses.ts'
import { createTokensService } from '../tokens/tokens-service.ts'
import { createAccountOpener } from '../users/open-account.ts'
import { createSelfService } from '../users/self-service.ts'
import { createUsersService } from '../users/users-service.ts'
import type { BaseParts } from './base-parts.ts'
import type { PartsNeeds } from './parts-needs.ts'

export type AccountParts = ReturnType<typeof buildAccounts>

/** Users with their keys and messages, and the ways to sign in. */
export const buildAccounts = (needs: PartsNeeds & BaseParts) => {
  const { config, db, clock, vault, log } = needs
  const { ownAddress, limiter, ledger, hosts, http, outside, audit, accounts, options, recordings, logs } = needs

  const seenAddresses = createSeenAddresses({ db, clock, log })
  const activityOf = createKeyActivity({ db, clock, seen: seenAddresses })
  const tokens = createTokensService({ db, clock, vault, activityOf, recordings })
  const redemptions = createRedemptionsService({ db, clock, vault, ledger, logs, options, audit })
  const { releasesRepository } = config
  const status = createStatusService({ options, startedAt: seconds(clock), releasesRepository })

  const openAccount = createAccountOpener({ clock, ledger, logs, options, tokens })
  const sessions = createSessionsService({ db, clock, accounts })
  const devices = createKnownDevices(vault)
  const guesses = createPasswordGuesses(limiter)
  const self = createSelfService({ db, sessions, guesses, recordings })

  const mailer = createMailer({ hosts })
  const mail = createOutgoingMail({ db, mailer, options, limiter, accounts, logs, log })
  const codes = createMailCodes({ db, clock })
  const pusher = createPusher({ http })
  const { isCovered } = alertRulesRepository(db)
  const notifications = createNotificationsService({
    ...{ accounts, mail, pusher, options, clock, log, ownAddress, isCovered },
  })
  const ledgerAlarm = createLedgerAlarm({ db, audit, notifications, log })
  const users = createUsersService({ db, ledger, logs, options, audit, openAccount, notifications, recordings })

  const humanCheck = createHumanCheck({ options, turnstile: createTurnstile(outside) })
  const login = createLoginService({ accounts, options, guesses })
  const registration = createRegistrationService({ db, accounts, codes, mail, openAccount, options })
  const recovery = createRecoveryService({ db, accounts, codes, mail, options, log, ownAddress })
  const states = createOauthStates({ db, clock })
  const oauth = createOauthService({
    ...{ db, accounts, codes, openAccount, options, ownAddress },
    ...{ github: createGitHub(outside), lark: createLark(outside), wechat: createWeChat({ http }) },
  })

  return {
    ...{ seenAddresses, activityOf, tokens, redemptions, status, openAccount, users, self },
    ...{ mail, codes, notifications, ledgerAlarm },
    ...{ sessions, devices, humanCheck, login, registration, recovery, states, oauth },
  }
}
