import { isRoot } from '@tollgate/contract'
import { createAuditService, OPERATOR } from '../audit/audit-service.ts'
import { systemClock } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { type Db, transact } from '../database/client.ts'
import { createOptionsService } from '../options/options-service.ts'
import { hashPassword } from '../security/passwords.ts'
import { randomText } from '../security/random.ts'
import type { Vault } from '../security/vault.ts'
import { createAccountsService } from '../users/accounts-service.ts'

/**
 * Restores access for an operator: sets a new password and ends all sessions. For root it also enables password sign-in,
 * because there may be no other way in.
 */
export const resetPassword = async ({ db, vault, log }: { db: Db; vault: Vault; log: Log }, username: string) => {
  const accounts = createAccountsService({ db })
  const user = await accounts.findByName(username)
  if (user === undefined) return undefined
  const password = randomText(20)
  const hash = await hashPassword(password)
  await transact(db, (tx) => accounts.setPassword(tx, user.id, hash))

  const audit = createAuditService({ db, clock: systemClock })
  const options = createOptionsService({ db, clock: systemClock, vault, audit, log, accounts })
  await options.refresh()
  const opened = isRoot(user.role) && !options.values().PasswordLoginEnabled
  if (opened) await options.update(OPERATOR, { key: 'PasswordLoginEnabled', value: 'true' }, 'en')
  return { password, opened }
}
