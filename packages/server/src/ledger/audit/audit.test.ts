import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { testApp } from '../../testing/app.ts'
import { engine } from '../../testing/database.ts'
import { ledgerFixture } from '../../testing/ledger-fixture.ts'
import { makeAdmin } from '../../testing/makers.ts'
import { type WholeBooks, wholeBooks } from '../../testing/whole-books.ts'
import { auditInWorker } from './audit-in-worker.ts'

test('a ledger in which everything adds up gives no finding', async () => {
  const app = await testApp()
  await wholeBooks(app)
  expect(await app.audit()).toEqual([])
})

const DAMAGE: { invariant: string; what: string; statement(books: WholeBooks): string }[] = [
  {
    invariant: 'I1',
    what: 'held quota without a hold',
    statement: ({ user }) => `UPDATE users SET held = 51 WHERE id = ${user}`,
  },
  { invariant: 'I1', what: 'an open hold that is gone', statement: () => "DELETE FROM holds WHERE id = 'h2'" },
  {
    invariant: 'I2',
    what: 'held quota of a token',
    statement: ({ token }) => `UPDATE tokens SET held = 0 WHERE id = ${token}`,
  },
  {
    invariant: 'I3',
    what: 'a balance written past the ledger',
    statement: ({ user }) => `UPDATE users SET quota = quota + 1 WHERE id = ${user}`,
  },
  { invariant: 'I3', what: 'a ledger row that is gone', statement: () => "DELETE FROM ledger WHERE kind = 'redeem'" },
  {
    invariant: 'I4',
    what: 'a running balance',
    statement: () => "UPDATE ledger SET balance = balance + 1 WHERE kind = 'redeem'",
  },
  {
    invariant: 'I5',
    what: 'the used quota of a user',
    statement: ({ user }) => `UPDATE users SET used_quota = 0 WHERE id = ${user}`,
  },
  {
    invariant: 'I5',
    what: 'the number of calls',
    statement: ({ user }) => `UPDATE users SET request_count = 9 WHERE id = ${user}`,
  },
  {
    invariant: 'I6',
    what: 'the used quota of a token',
    statement: ({ token }) => `UPDATE tokens SET used_quota = 31 WHERE id = ${token}`,
  },
  {
    invariant: 'I7',
    what: 'the used quota of a channel',
    statement: ({ channel }) => `UPDATE channels SET used_quota = 0 WHERE id = ${channel}`,
  },
  {
    invariant: 'I8',
    what: 'a settled hold that was charged otherwise',
    statement: () => "UPDATE holds SET actual = 29 WHERE id = 'h1'",
  },
  {
    invariant: 'I8',
    what: 'a closed hold without an amount',
    statement: () => "UPDATE holds SET actual = NULL WHERE id = 'h1'",
  },
  {
    invariant: 'I8',
    what: 'a charge for a hold that is open',
    statement: () => "UPDATE holds SET state = 0 WHERE id = 'h1'",
  },
  {
    invariant: 'I9',
    what: 'a credited code that is unused again',
    statement: ({ code }) => `UPDATE redemptions SET status = 1 WHERE id = ${code}`,
  },
  {
    invariant: 'I9',
    what: 'a credited code of another amount',
    statement: ({ code }) => `UPDATE redemptions SET quota = 99 WHERE id = ${code}`,
  },
  {
    invariant: 'I10',
    what: 'an open hold of a process that ended',
    statement: () => 'UPDATE owners SET closed_at = 5',
  },
  {
    invariant: 'I10',
    what: 'a hold that is open for longer than a call may take',
    statement: () => "UPDATE holds SET created_at = created_at - 4501 WHERE id = 'h2'",
  },
  {
    invariant: 'I11',
    what: 'an amount beyond all bounds',
    statement: ({ user }) => `UPDATE users SET used_quota = 9100000000000000 WHERE id = ${user}`,
  },
  {
    invariant: 'I12',
    what: 'a hold that the balance does not cover',
    statement: ({ user }) => `UPDATE users SET quota = 49 WHERE id = ${user}`,
  },
  {
    invariant: 'I12',
    what: 'an overrun larger than the books know of',
    statement: ({ user }) => `UPDATE users SET quota = -1, overrun = 50 WHERE id = ${user}`,
  },
]

test.each(DAMAGE)('the audit finds $what as $invariant', async ({ invariant, statement }) => {
  const app = await testApp()
  await sql.raw(statement(await wholeBooks(app))).execute(app.db)
  const findings = await app.audit()
  expect(findings.map((finding) => finding.invariant)).toContain(invariant)
  for (const finding of findings) {
    expect(finding).toMatchObject({
      invariant: expect.stringMatching(/^I\d+$/),
      says: expect.any(String),
      subject: expect.any(String),
      found: expect.any(String),
      expected: expect.any(String),
    })
  }
})

test('the audit finds a bonus that was posted twice, in a ledger restored without its constraints, as I13', async () => {
  const app = await testApp()
  const { user } = await wholeBooks(app)
  const steps = [
    'ALTER TABLE ledger RENAME TO ledger_whole',
    'CREATE TABLE ledger AS SELECT * FROM ledger_whole',
    `INSERT INTO ledger (id, ts, kind, ref, user_id, delta, balance) VALUES (901, 1, 'bonus', 'signup:1', ${user}, 1, 1)`,
    `INSERT INTO ledger (id, ts, kind, ref, user_id, delta, balance) VALUES (902, 1, 'bonus', 'signup:1', ${user}, 1, 2)`,
  ]
  for (const step of steps) await sql.raw(step).execute(app.db)
  const findings = await app.audit()
  for (const step of ['DROP TABLE ledger', 'ALTER TABLE ledger_whole RENAME TO ledger']) {
    await sql.raw(step).execute(app.db)
  }
  expect(findings).toContainEqual(expect.objectContaining({ invariant: 'I13', subject: 'signup:1', found: '2' }))
})

test('a fraction or a text instead of an amount is refused by the database or found as I11', async () => {
  const app = await testApp()
  const { user, token } = await wholeBooks(app)
  const damage = [
    { statement: sql`UPDATE users SET used_quota = 30.5 WHERE id = ${user}`, subject: `users ${user}` },
    { statement: sql`UPDATE tokens SET used_quota = 'thirty' WHERE id = ${token}`, subject: `tokens ${token}` },
  ]
  for (const { statement, subject } of damage) {
    const written = await statement.execute(app.db).catch(() => 'refused')
    const { used_quota } = await app.db
      .selectFrom(subject.startsWith('users') ? 'users' : 'tokens')
      .select('used_quota')
      .where('id', '=', subject.startsWith('users') ? user : token)
      .executeTakeFirstOrThrow()
    const whole = written === 'refused' || Number.isInteger(used_quota)
    const subjects = (await app.audit())
      .filter(({ invariant }) => invariant === 'I11')
      .map((finding) => finding.subject)
    expect(subjects.includes(subject)).toBe(!whole)
    if (engine === 'sqlite') expect(whole).toBe(false)
  }
})

test('a hold whose epoch was closed a moment ago is being swept; a minute later it is a finding', async () => {
  const app = await testApp()
  await wholeBooks(app)
  const now = Math.floor(app.clock.now() / 1000)
  await app.db.updateTable('owners').set({ closed_at: now }).where('epoch', '=', 'e1').execute()
  app.clock.pass(60)
  expect(await app.audit()).toEqual([])
  app.clock.pass(1)
  expect(await app.audit()).toMatchObject([{ invariant: 'I10', subject: 'h2' }])
})

test('a recorded overrun is no finding, and is gone with the next top-up', async () => {
  const { app, store, hold, settle, user } = await ledgerFixture({ quota: 100 })
  await store.run([hold('a', 60), hold('b', 40)])
  await store.run([settle('a', 75)])
  const overrun = () =>
    app.db.selectFrom('users').select(['quota', 'held', 'overrun']).where('id', '=', user.id).executeTakeFirstOrThrow()
  expect(await overrun()).toEqual({ quota: 25, held: 40, overrun: 15 })
  expect(await app.audit()).toEqual([])
  const { client: admin } = await makeAdmin(app)
  await admin.put('/api/user/', { id: user.id, quota: 10, quota_base: 25 })
  expect(await overrun()).toEqual({ quota: 10, held: 40, overrun: 30 })
  expect(await app.audit()).toEqual([])
  await admin.put('/api/user/', { id: user.id, quota: 500, quota_base: 10 })
  expect(await overrun()).toEqual({ quota: 500, held: 40, overrun: 0 })
  await store.run([settle('b', 40)])
  expect(await app.audit()).toEqual([])
})

test('the nightly audit runs beside the calls and reports the same', async () => {
  const app = await testApp()
  const { user } = await wholeBooks(app)
  const now = Math.floor(app.clock.now() / 1000)
  expect((await auditInWorker(app.location, now)).findings).toEqual([])
  await app.db.updateTable('users').set({ quota: 5000 }).where('id', '=', user).execute()
  const [finding, ...more] = (await auditInWorker(app.location, now)).findings
  expect(finding).toMatchObject({ invariant: 'I3', subject: String(user) })
  expect(more).toEqual([])
  await expect(auditInWorker('/no/such/folder/tollgate.db', now)).rejects.toThrow('The audit failed')
})

test('a finding names the row, its value and what the ledger says', async () => {
  const app = await testApp()
  const { user } = await wholeBooks(app)
  await app.db.updateTable('users').set({ quota: 5000 }).where('id', '=', user).execute()
  expect(await app.audit()).toEqual([
    {
      invariant: 'I3',
      says: "users.quota is the sum of the user's ledger",
      subject: String(user),
      found: '5000',
      expected: '1070',
    },
  ])
})

test('clearing the log takes nothing from the ledger', async () => {
  const app = await testApp()
  await wholeBooks(app)
  const { client } = await makeAdmin(app)
  app.clock.pass(10)
  const now = Math.floor(app.clock.now() / 1000)
  expect((await client.delete(`/api/log/?target_timestamp=${now}`)).data).toBeGreaterThan(0)
  expect(await app.audit()).toEqual([])
})
