import { systemClock } from '../common/clock.ts'
import { openDatabase, transact } from '../database/client.ts'
import { createLedger } from '../ledger/ledger.ts'

/** Another process on the same ledger: `post-many.ts <database> <user> <count>` credits 1 this many times. */
const [location = '', userId, count] = process.argv.slice(2)
const { db, close } = openDatabase(location)
const ledger = createLedger(systemClock)
for (let n = 0; n < Number(count); n++) {
  const posting = { kind: 'topup', ref: `${process.pid}:${n}`, userId: Number(userId), delta: 1 } as const
  await transact(db, (tx) => ledger.post(tx, posting))
}
await close()
