import { expect, setDefaultTimeout, test } from 'bun:test'
import { ledgerFixture } from '../../testing/ledger-fixture.ts'
import { asRoot } from '../../testing/makers.ts'
import type { Result } from '../commands.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* A store may keep rows from one batch to the next, but never past a change by somebody else. */

type Fixture = Awaited<ReturnType<typeof ledgerFixture>>

const held = { ok: true, type: 'held', fresh: true } as const
const refused = (refusal: string) => ({ ok: false, refusal })

const CHANGES: Record<string, { change(fixture: Fixture): Promise<unknown>; expected: object }> = {
  'a balance that was raised': {
    change: ({ app, user }) => app.db.updateTable('users').set({ quota: 5000 }).where('id', '=', user.id).execute(),
    expected: held,
  },
  'a balance that was lowered': {
    change: ({ app, user }) => app.db.updateTable('users').set({ quota: 1099 }).where('id', '=', user.id).execute(),
    expected: refused('user'),
  },
  'a user who was banned': {
    change: ({ app, user }) => app.db.updateTable('users').set({ status: 2 }).where('id', '=', user.id).execute(),
    expected: refused('disabled'),
  },
  'a key that was disabled': {
    change: ({ app, tokenId }) => app.db.updateTable('tokens').set({ status: 2 }).where('id', '=', tokenId).execute(),
    expected: refused('disabled'),
  },
  'a key that was limited': {
    change: ({ app, tokenId }) =>
      app.db.updateTable('tokens').set({ unlimited_quota: 0, remain_quota: 10 }).where('id', '=', tokenId).execute(),
    expected: refused('token'),
  },
  'a process that was declared dead': {
    change: ({ app }) => app.db.updateTable('owners').set({ closed_at: 1 }).execute(),
    expected: refused('epoch'),
  },
  'a budget that was lowered': {
    change: ({ app }) => app.db.updateTable('budgets').set({ quota: 1050 }).execute(),
    expected: { ok: false, refusal: 'budget', budget: 1 },
  },
  'a budget of which another spent': {
    change: ({ app }) => app.db.updateTable('budget_usage').set({ used: 1990 }).execute(),
    expected: { ok: false, refusal: 'budget', budget: 1 },
  },
}

for (const [name, { change, expected }] of Object.entries(CHANGES)) {
  test(`${name} counts from the next call on`, async () => {
    const fixture = await ledgerFixture({ quota: 2000 })
    const { store } = fixture
    const hold = await withBudget(fixture)
    expect(await store.run([hold('a', 1000)])).toEqual([held])
    await change(fixture)
    expect(await store.run([hold('b', 100)])).toEqual([expected as Result])
  })
}

test('a charge by another process counts from the next call on', async () => {
  const fixture = await ledgerFixture({ quota: 2000 })
  const { store, settle, account } = fixture
  const hold = await withBudget(fixture)
  await store.run([hold('a', 1000)])
  const other = fixture.openStore()
  await other.run([settle('a', 700), hold('b', 300)])
  expect(await store.run([hold('c', 1001), hold('d', 1000)])).toEqual([refused('user') as Result, held])
  await store.run([settle('b', 300), settle('d', 500)])
  expect(await other.run([hold('e', 501), hold('f', 500)])).toEqual([refused('user') as Result, held])
  expect(await account()).toMatchObject({ quota: 500, held: 500, used_quota: 1500, request_count: 3 })
})

test('a command that fails leaves nothing behind for later ones', async () => {
  const fixture = await ledgerFixture({ quota: 2000 })
  const { store, settle, account } = fixture
  const hold = await withBudget(fixture)
  await store.run([hold('a', 1000)])
  const [failed] = await store.run([settle('a', -1)])
  expect(failed).toBeInstanceOf(Error)
  expect(await store.run([hold('b', 1001), hold('c', 1000)])).toEqual([refused('user') as Result, held])
  await store.run([settle('a', 10), settle('c', 20)])
  expect(await account()).toMatchObject({ quota: 1970, held: 0, used_quota: 30 })
})

/** Holds that count against one budget of 2,000. */
async function withBudget({ app, user, hold }: Fixture) {
  const root = await asRoot(app)
  await root.post('/api/budget/', { scope: 'user', target: `${user.id}`, quota: 2000, period: 'day' })
  const claim = { id: 1, slot: 0, from: 0, until: 0 }
  return (id: string, amount: number) => ({ ...hold(id, amount), budgets: [claim] })
}
