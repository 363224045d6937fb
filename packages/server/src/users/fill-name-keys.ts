import { type Db, transact } from '../database/client.ts'
import { isUniqueViolation } from '../database/unique.ts'
import { nameKey } from './name-key.ts'
import { usersRepository } from './users-repository.ts'

const AT_ONCE = 1000

/** Sets the name key of accounts of earlier versions. Of look-alikes only the oldest gets it. */
export const fillNameKeys = async (db: Db) => {
  for (let after = 0; ; ) {
    const rows = await usersRepository(db).withoutNameKey(after, AT_ONCE)
    const last = rows.at(-1)
    if (last === undefined) return
    // Another node that starts at the same time may have been faster: the rest is read again.
    if (await fill(db, rows)) after = last.id
  }
}

async function fill(db: Db, rows: { id: number; username: string }[]) {
  const keys = new Map<string, number>()
  for (const { id, username } of rows) {
    const key = nameKey(username)
    if (key !== '' && !keys.has(key)) keys.set(key, id)
  }
  try {
    await transact(db, async (tx) => {
      for (const taken of await usersRepository(tx).nameKeysAmong([...keys.keys()])) keys.delete(taken)
      await usersRepository(tx).setNameKeys([...keys].map(([key, id]) => ({ id, key })))
    })
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
