import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { seconds } from '../../common/clock.ts'
import { openDatabase } from '../../database/client.ts'
import { ledgerFixture } from '../../testing/ledger-fixture.ts'
import { auditSince } from './audit.ts'

/** An account and two calls a day ago, three calls now, of 10 each. */
async function twoDays() {
  const fixture = await ledgerFixture({ quota: 1000 })
  const { app, store, hold, settle } = fixture
  const now = seconds(app.clock) + 86_400
  const call = async (id: string, at: number) => {
    await store.run([{ ...hold(id, 20), now: at }])
    await store.run([{ ...settle(id, 10), now: at }])
  }
  for (const id of ['a', 'b']) await call(id, now - 86_400)
  for (const id of ['c', 'd', 'e']) await call(id, now)
  const database = openDatabase(app.location)
  const audit = async (since: number) => {
    const { findings, counts } = await auditSince(database, now, since)
    return { found: findings.map(({ invariant, subject }) => [invariant, subject]), counts }
  }
  const idOf = async (ref: string) =>
    (await app.db.selectFrom('ledger').select('id').where('ref', '=', ref).executeTakeFirstOrThrow()).id
  return { ...fixture, database, now, audit, idOf }
}

test('an audit since a moment checks the rows from then on, and finds nothing if all continues', async () => {
  const { app, audit, now, database } = await twoDays()
  expect(await audit(now - 3600)).toEqual({ found: [], counts: expect.objectContaining({ ledger: 3 }) })
  expect(await audit(now + 1)).toEqual({ found: [], counts: expect.objectContaining({ ledger: 0 }) })
  expect(await app.audit()).toEqual([])
  await database.close()
})

test('an audit since a moment finds a row that does not continue the balance before it, however old that is', async () => {
  const { app, audit, now, idOf, database } = await twoDays()
  await sql`UPDATE ledger SET delta = -9 WHERE ref = 'c'`.execute(app.db)
  const { found } = await audit(now - 3600)
  expect(found).toEqual([['I4', String(await idOf('c'))]])
  await database.close()
})

test('an audit since a point in time takes the earlier state as given', async () => {
  const { app, audit, now, idOf, database } = await twoDays()
  await sql`UPDATE ledger SET delta = -9 WHERE ref = 'a'`.execute(app.db)
  expect((await audit(now - 3600)).found).toEqual([])
  expect((await audit(now - 86_400)).found).toEqual([['I4', String(await idOf('a'))]])
  await database.close()
})

test('an audit since a moment finds every balance that was changed without the ledger, also of a user with no rows since', async () => {
  const { app, audit, now, user, database } = await twoDays()
  await sql`UPDATE users SET quota = quota + 1 WHERE id = ${user.id}`.execute(app.db)
  for (const since of [now - 3600, now + 1]) expect((await audit(since)).found).toEqual([['I4', String(user.id)]])
  await database.close()
})

test('clocks of several nodes differ: a row of that time after an older one is not missed', async () => {
  const { app, audit, now, idOf, database } = await twoDays()
  await sql`UPDATE ledger SET ts = ${now - 90_000} WHERE ref = 'd'`.execute(app.db)
  await sql`UPDATE ledger SET delta = -9 WHERE ref = 'c'`.execute(app.db)
  const { found, counts } = await audit(now - 3600)
  expect(found).toContainEqual(['I4', String(await idOf('c'))])
  expect(counts.ledger).toBe(3)
  await database.close()
})

test('an old hold that was corrected since is checked', async () => {
  const { app, store, hold, settle, audit, now, database } = await twoDays()
  const before = now - 86_400
  await store.run([{ ...hold('s', 20), now: before }])
  await store.run([{ type: 'progress', id: 's', used: 5 }])
  await store.run([{ type: 'sweep', id: 's', log: undefined, now: before }])
  await store.run([{ ...settle('s', 8), now }])
  expect((await audit(now - 3600)).found).toEqual([])
  await sql`UPDATE holds SET actual = 7 WHERE id = 's'`.execute(app.db)
  expect((await audit(now - 3600)).found).toEqual([['I8', 's']])
  await database.close()
})
