import { type Db, transact } from './database/client.ts'
import { hashPassword } from './security/passwords.ts'
import { randomText } from './security/random.ts'
import { createAccountsService } from './users/accounts-service.ts'

/** The operator's way back in: a new password for an account, and the end of its sessions. */
export const resetPassword = async (db: Db, username: string) => {
  const accounts = createAccountsService({ db })
  const user = await accounts.findByName(username)
  if (user === undefined) return undefined
  const password = randomText(20)
  const hash = await hashPassword(password)
  await transact(db, (tx) => accounts.setPassword(tx, user.id, hash))
  return password
}
