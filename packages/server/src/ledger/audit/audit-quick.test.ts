import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { seconds } from '../../common/clock.ts'
import { testApp } from '../../testing/app.ts'
import { runCommand, storeOf } from '../../testing/command.ts'
import { asRoot, makeUser } from '../../testing/makers.ts'
import { startNode } from '../../testing/node-process.ts'
import { type WholeBooks, wholeBooks } from '../../testing/whole-books.ts'
import { auditQuickly } from './audit-quick.ts'

test('the quick audit finds nothing in a correct ledger', async () => {
  const app = await testApp()
  await wholeBooks(app)
  expect(await auditQuickly(app.db, seconds(app.clock))).toEqual({ findings: [], complete: true })
})

const DAMAGE: { invariant: string; statement(books: WholeBooks): string }[] = [
  { invariant: 'I1', statement: ({ user }) => `UPDATE users SET held = 51 WHERE id = ${user}` },
  { invariant: 'I2', statement: ({ token }) => `UPDATE tokens SET held = 0 WHERE id = ${token}` },
  { invariant: 'I4', statement: ({ user }) => `UPDATE users SET quota = quota + 1 WHERE id = ${user}` },
  { invariant: 'I10', statement: () => 'UPDATE owners SET closed_at = 5' },
  { invariant: 'I11', statement: ({ user }) => `UPDATE users SET used_quota = 9100000000000000 WHERE id = ${user}` },
  { invariant: 'I12', statement: ({ user }) => `UPDATE users SET quota = 49 WHERE id = ${user}` },
]

test.each(DAMAGE)('the quick audit finds $invariant, one row at a time', async ({ invariant, statement }) => {
  const app = await testApp()
  await sql.raw(statement(await wholeBooks(app))).execute(app.db)
  const { findings } = await auditQuickly(app.db, seconds(app.clock), () => false, { forMs: 60_000, idsAtOnce: 1 })
  expect(findings.map((finding) => finding.invariant)).toContain(invariant)
})

test('the quick audit stops when its time is up or it is aborted, and says that it is incomplete', async () => {
  const app = await testApp()
  const { user } = await wholeBooks(app)
  await sql`UPDATE users SET held = 51 WHERE id = ${user}`.execute(app.db)
  const now = seconds(app.clock)
  expect(await auditQuickly(app.db, now, () => false, { forMs: -1, idsAtOnce: 1 })).toEqual({
    findings: [],
    complete: false,
  })
  let looks = 0
  const some = await auditQuickly(app.db, now, () => ++looks > user, { forMs: 60_000, idsAtOnce: 1 })
  expect(some).toMatchObject({ findings: [{ invariant: 'I1' }], complete: false })
})

test('a process that starts on a ledger that does not add up serves, and reports it in its log and in the audit log', async () => {
  const app = await testApp()
  const { id } = await makeUser(app, { quota: 100 })
  await sql`UPDATE users SET quota = 101 WHERE id = ${id}`.execute(app.db)
  const node = await startNode(app)
  expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
  await node.logged('The ledger does not balance')
  expect(node.output()).toContain(
    `I4 ${id}: users.quota is the balance of the user's newest ledger row (found 101, expected 100)`,
  )
  node.child.kill('SIGTERM')
  expect(await node.exited()).toBe(0)
  const root = await asRoot(app)
  expect((await root.get('/api/audit?target=books')).data).toMatchObject([
    { action: 'books.finding', actor_name: 'tollgate', after: { findings: 1, named: expect.stringContaining('I4') } },
  ])
}, 60_000)

test('an alarm stays until a full audit finds nothing, nightly or from the command line', async () => {
  const app = await testApp()
  const { id } = await makeUser(app, { quota: 100 })
  const quota = (value: number) => app.db.updateTable('users').set({ quota: value }).where('id', '=', id).execute()
  const events = async () => {
    const rows = await app.db
      .selectFrom('audit_events')
      .select('action')
      .where('target', '=', 'books')
      .orderBy('id')
      .execute()
    return rows.map(({ action }) => action.replace('books.', ''))
  }
  const night = app.parts.jobs.find(({ name }) => name === 'audit')
  await night?.run()
  expect(await events()).toEqual([])
  await quota(101)
  await night?.run()
  expect(await events()).toEqual(['finding'])
  await quota(100)
  await night?.run()
  await night?.run()
  expect(await events()).toEqual(['finding', 'whole'])

  await quota(101)
  await night?.run()
  await quota(100)
  // A partial audit says nothing about the rest.
  expect((await runCommand(['audit', '--since', '1h'], storeOf(app))).exitCode).toBe(0)
  expect(await events()).toEqual(['finding', 'whole', 'finding'])
  expect((await runCommand(['audit'], storeOf(app))).exitCode).toBe(0)
  expect(await events()).toEqual(['finding', 'whole', 'finding', 'whole'])
}, 60_000)
