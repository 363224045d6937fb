import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { Change } from '../../audit/audit-service.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { ledgerFixture } from '../../testing/ledger-fixture.ts'
import { type WholeBooks, wholeBooks } from '../../testing/whole-books.ts'
import { planRepairs, repairBooks } from './repair.ts'
import type { Derived } from './report.ts'

/** Repairs what can be repaired, and returns what was recorded. */
async function repair(app: TestApp) {
  const recorded: Change[] = []
  const { repairs, inDoubt } = planRepairs(await app.audit())
  const done = await repairBooks(app.db, repairs, async (_, change) => void recorded.push(change))
  return { done, inDoubt, recorded }
}

const state = async (app: TestApp) => ({
  ledger: await app.db.selectFrom('ledger').selectAll().orderBy('id').execute(),
  holds: await app.db.selectFrom('holds').selectAll().orderBy('id').execute(),
  quotas: await app.db.selectFrom('users').select(['id', 'quota']).orderBy('id').execute(),
  limits: await app.db.selectFrom('tokens').select(['id', 'remain_quota', 'status']).orderBy('id').execute(),
})

const DERIVED: { column: Derived; of: 'user' | 'token' | 'channel'; right: string }[] = [
  { column: 'users.held', of: 'user', right: '50' },
  { column: 'users.used_quota', of: 'user', right: '30' },
  { column: 'users.request_count', of: 'user', right: '1' },
  { column: 'tokens.held', of: 'token', right: '50' },
  { column: 'tokens.used_quota', of: 'token', right: '30' },
  { column: 'channels.used_quota', of: 'channel', right: '30' },
]

test.each(DERIVED)(
  '$column is recomputed from holds and ledger, and nothing else is written',
  async ({ column, of, right }) => {
    const app = await testApp()
    const books = await wholeBooks(app)
    const before = await state(app)
    const [table = '', name = ''] = column.split('.')
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(name)} = 77 WHERE id = ${books[of]}`.execute(app.db)
    const { done, recorded } = await repair(app)
    expect(done).toEqual([{ column, id: books[of], from: '77', to: right }])
    expect(recorded).toEqual([
      {
        action: 'books.repair',
        target: `${of}:${books[of]}`,
        before: { [name]: '77' },
        after: { [name]: right },
      },
    ])
    expect(await app.audit()).toEqual([])
    expect(await state(app)).toEqual(before)
    expect((await repair(app)).done).toEqual([])
  },
)

const NOT_DERIVED: { what: string; statement(books: WholeBooks): string }[] = [
  {
    what: 'a balance that the ledger does not explain',
    statement: ({ user }) => `UPDATE users SET quota = 5000 WHERE id = ${user}`,
  },
  { what: 'a ledger row that is gone', statement: () => "DELETE FROM ledger WHERE kind = 'consume'" },
  { what: 'a ledger row that was changed', statement: () => "UPDATE ledger SET delta = -29 WHERE kind = 'consume'" },
  {
    what: 'a code that is unused again',
    statement: ({ code }) => `UPDATE redemptions SET status = 1 WHERE id = ${code}`,
  },
  { what: 'a closed hold that was opened again', statement: () => "UPDATE holds SET state = 0 WHERE id = 'h1'" },
]

test.each(NOT_DERIVED)('$what is left to a person', async ({ statement }) => {
  const app = await testApp()
  await sql.raw(statement(await wholeBooks(app))).execute(app.db)
  const before = await app.audit()
  expect(before).not.toEqual([])
  expect(await repair(app)).toMatchObject({ done: [], recorded: [] })
  expect(await app.audit()).toEqual(before)
})

test('a sum that is too large for the balance becomes a recorded overrun', async () => {
  const { app, store, hold, user } = await ledgerFixture({ quota: 100 })
  await store.run([hold('a', 60)])
  await sql`UPDATE users SET held = 0 WHERE id = ${user.id}`.execute(app.db)
  await store.run([hold('b', 70)])
  expect((await repair(app)).done).toMatchObject([{ column: 'users.held', from: '70', to: '130' }])
  const row = await app.db
    .selectFrom('users')
    .select(['held', 'overrun'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ held: 130, overrun: 30 })
  expect(await app.audit()).toEqual([])
})

test('a repair that is not recorded does not happen', async () => {
  const app = await testApp()
  const { user } = await wholeBooks(app)
  await sql`UPDATE users SET held = 7 WHERE id = ${user}`.execute(app.db)
  const { repairs } = planRepairs(await app.audit())
  const failing = repairBooks(app.db, repairs, () => Promise.reject(new Error('no room')))
  await expect(failing).rejects.toThrow('no room')
  expect(await app.audit()).toMatchObject([{ invariant: 'I1', found: '7' }])
})

test('calls during a repair lose nothing by it', async () => {
  const { app, store, hold, settle, user } = await ledgerFixture({ quota: 100_000 })
  const ids = Array.from({ length: 40 }, (_, index) => `call-${index}`)
  await store.run([hold('old', 10)])
  await store.run([settle('old', 10)])
  await sql`UPDATE users SET used_quota = used_quota + 5, held = held + 3 WHERE id = ${user.id}`.execute(app.db)
  const { repairs } = planRepairs(await app.audit())
  const calls = (async () => {
    for (const id of ids) {
      await store.run([hold(id, 9)])
      await store.run([settle(id, 4)])
    }
  })()
  await repairBooks(app.db, repairs, async () => {})
  await calls
  expect(await app.audit()).toEqual([])
})
