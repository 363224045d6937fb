import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'
import { makeCode } from '../testing/redemption-makers.ts'

/**
 * Books with one of everything: an account of 1100 that was opened, topped up by a code and charged 30 for one call,
 * and a second call that is still running and holds 50.
 */
async function wholeBooks(app: TestApp) {
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app, { quota: 1000 })
  const code = await makeCode(admin, { quota: 100 })
  await user.client.post('/api/user/topup', { key: code.key })
  const [token] = (await user.client.get('/api/token/')).data
  const channel = await admin.post('/api/channel/', { name: 'c', type: 1, key: 'sk-upstream-key', models: 'm' })
  const books = { user: user.id, token: Number(token.id), channel: Number(channel.data[0].id), code: code.id }

  const row = { epoch: 'e1', user_id: books.user, token_id: books.token, channel_id: books.channel, price: '{}' }
  const { db } = app
  await db.insertInto('owners').values({ epoch: 'e1', node: 'n', started_at: 1, closed_at: null }).execute()
  const settled = {
    ...row,
    id: 'h1',
    amount: 40,
    limited: 0 as const,
    state: 1,
    actual: 30,
    created_at: 1,
    closed_at: 2,
  }
  const open = {
    ...row,
    id: 'h2',
    amount: 50,
    limited: 1 as const,
    state: 0,
    actual: null,
    created_at: 3,
    closed_at: null,
  }
  await db.insertInto('holds').values([settled, open]).execute()
  const charge = { ts: 2, kind: 'consume', ref: 'h1', user_id: books.user, token_id: books.token }
  await db
    .insertInto('ledger')
    .values({ ...charge, channel_id: books.channel, actor_id: null, delta: -30, balance: 1070 })
    .execute()
  const account = { quota: 1070, held: 50, used_quota: 30, request_count: 1 }
  await db.updateTable('users').set(account).where('id', '=', books.user).execute()
  await db.updateTable('tokens').set({ held: 50, used_quota: 30 }).where('id', '=', books.token).execute()
  await db.updateTable('channels').set({ used_quota: 30 }).where('id', '=', books.channel).execute()
  return books
}

type Books = Awaited<ReturnType<typeof wholeBooks>>

test('books in which everything adds up give no finding', async () => {
  const app = await testApp()
  await wholeBooks(app)
  expect(await app.audit()).toEqual([])
})

const DAMAGE: { invariant: string; what: string; statement(books: Books): string }[] = [
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
]

test.each(DAMAGE)('the audit finds $what as $invariant', async ({ invariant, statement }) => {
  const app = await testApp()
  await sql.raw(statement(await wholeBooks(app))).execute(app.db)
  const findings = await app.audit()
  expect(findings.map((finding) => finding.invariant)).toContain(invariant)
  for (const finding of findings) {
    expect(finding).toEqual({
      invariant: expect.stringMatching(/^I\d+$/),
      says: expect.any(String),
      subject: expect.any(String),
      found: expect.any(String),
      expected: expect.any(String),
    })
  }
})

test('the audit finds a bonus that was posted twice, in books that were restored without their constraints, as I13', async () => {
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

test('a finding names the row, what it holds and what the ledger says', async () => {
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

test('clearing the log takes nothing from the books', async () => {
  const app = await testApp()
  await wholeBooks(app)
  const { client } = await makeAdmin(app)
  app.clock.pass(10)
  const now = Math.floor(app.clock.now() / 1000)
  expect((await client.delete(`/api/log/?target_timestamp=${now}`)).data).toBeGreaterThan(0)
  expect(await app.audit()).toEqual([])
})
