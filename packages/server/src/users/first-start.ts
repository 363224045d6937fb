import { Role } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import { type Db, transact } from '../database/client.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OptionsService } from '../options/options-service.ts'
import { hashPassword } from '../security/passwords.ts'
import type { OpenAccount } from './open-account.ts'
import { usersRepository } from './users-repository.ts'

const NAME = 'root'

/** Publicly known; the product warns until it is changed. */
export const DEFAULT_PASSWORD = '123456'
/** As the password is publicly known, its hash is no secret, and computing one would be a tenth of the first start. */
const DEFAULT_PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$ROSuW3geJf1cUkTLKf6Eo4WJ4X+Zq/w+ng5E8/Gc6RM$T3o56ox7437TyDB3QXNel8IGCdB7ArEDWjRpTMIy/w8'

/** Enough that the operator's own calls never run out. */
const OPENING_QUOTA = 500_000_000_000_000

interface Needs {
  db: Db
  ledger: Ledger
  openAccount: OpenAccount
  options: OptionsService
  log: Log
  rootPassword: string | undefined
}

/** Creates root and the initial settings in an empty database. */
export const ensureRoot = async ({ db, ledger, openAccount, options, log, rootPassword }: Needs) => {
  if (await usersRepository(db).isEmpty()) {
    const passwordHash = rootPassword === undefined ? DEFAULT_PASSWORD_HASH : await hashPassword(rootPassword)
    const made = transact(db, async (tx) => {
      const passwordIsDefault = rootPassword === undefined
      const account = { username: NAME, displayName: 'Root User', role: Role.root, passwordHash, passwordIsDefault }
      const { id } = await openAccount(tx, account)
      await options.writeInitial(tx)
      await ledger.post(tx, { kind: 'opening', ref: `opening:${id}`, userId: id, delta: OPENING_QUOTA })
    })
    await made.catch((error: unknown) => {
      // Another node that started at the same time has created it.
      if (!(error instanceof GatewayError) || error.code !== 'register.username_taken') throw error
    })
  }
  // By its role, because it may have been renamed.
  const root = await usersRepository(db).findRoot()
  if (root?.password_default !== 1) return
  if (rootPassword !== undefined) {
    const password = await hashPassword(rootPassword)
    await usersRepository(db).update(root.id, { password, password_default: 0 })
    await usersRepository(db).revoke(root.id)
    return
  }
  log.warn(`The account ${root.username} still has the default password ${DEFAULT_PASSWORD}: change it now`)
}
