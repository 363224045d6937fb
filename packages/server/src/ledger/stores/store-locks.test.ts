import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'kysely'
import { transact } from '../../database/client.ts'
import type { TestApp } from '../../testing/app.ts'
import { engine } from '../../testing/database.ts'
import { ledgerFixture } from '../../testing/ledger-fixture.ts'
import { asRoot } from '../../testing/makers.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* What a batch locks, and why. A transaction of the test makes it wait at the point in question. */

if (engine === 'sqlite') {
  test('two stores that end one hold while another transaction writes wait for it, and release its quota once', async () => {
    const { app, store, hold, settle, account, openStore } = await ledgerFixture()
    const other = openStore()
    await store.run([hold('a', 100), hold('b', 100)])
    const writer = new Database(app.location)
    writer.run('BEGIN IMMEDIATE')
    const failed = { ...settle('a', 0), done: false }
    let ended = 0
    const ends = [store, other].map((one) => one.run([failed]).then(() => ended++))
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended).toBe(0)
    writer.run('COMMIT')
    writer.close()
    await Promise.all(ends)
    expect(await account()).toMatchObject({ held: 100 })
    expect(await app.audit()).toEqual([])
  })
}

if (engine === 'postgres') {
  test('while a hold is being added to an epoch, nobody can declare it dead', async () => {
    const { app, store, hold, user } = await ledgerFixture()
    const { epoch } = hold('', 0)
    const adding: Promise<unknown>[] = []
    await transact(app.db, async (tx) => {
      await tx.updateTable('users').set({ display_name: 'busy' }).where('id', '=', user.id).execute()
      adding.push(store.run([hold('a', 10)]))
      await waiting(app, 1)
      const closing = sql`SELECT epoch FROM owners WHERE epoch = ${epoch} FOR NO KEY UPDATE NOWAIT`.execute(app.db)
      await expect(closing).rejects.toThrow('could not obtain lock')
    })
    expect(await Promise.all(adding)).toMatchObject([[{ ok: true, fresh: true }]])
  })

  test('a budget is read after it is locked: what another process spends meanwhile counts', async () => {
    const { app, store, hold, user } = await ledgerFixture()
    const root = await asRoot(app)
    await root.post('/api/budget/', { scope: 'user', target: `${user.id}`, quota: 2000, period: 'day' })
    const counted = (id: string) => ({ ...hold(id, 1000), budgets: [{ id: 1, slot: 0, from: 0, until: 0 }] })
    await store.run([counted('a')])
    const adding: Promise<unknown>[] = []
    await transact(app.db, async (tx) => {
      await tx.updateTable('budgets').set({ changed: 1 }).execute()
      adding.push(store.run([counted('b')]))
      await waiting(app, 1)
      await tx.updateTable('budget_usage').set({ used: 1 }).execute()
    })
    expect(await Promise.all(adding)).toEqual([[{ ok: false, refusal: 'budget', budget: 1 }]])
  })

  test('two processes that end one hold at the same moment release its quota once', async () => {
    const { app, store, hold, settle, user, account, openStore } = await ledgerFixture()
    const other = openStore()
    await store.run([hold('a', 100), hold('b', 100)])
    const failed = { ...settle('a', 0), done: false }
    const ends: Promise<unknown>[] = []
    await transact(app.db, async (tx) => {
      await tx.updateTable('users').set({ display_name: 'busy' }).where('id', '=', user.id).execute()
      ends.push(store.run([failed]), other.run([failed]))
      await waiting(app, 2)
    })
    await Promise.all(ends)
    expect(await account()).toMatchObject({ held: 100 })
    expect(await app.audit()).toEqual([])
  })

  test('a hold that two attempts make at the same moment, as after a lost connection, is made once and confirmed to both', async () => {
    const { app, store, hold, user, account, openStore } = await ledgerFixture()
    const other = openStore()
    const tries: Promise<unknown>[] = []
    await transact(app.db, async (tx) => {
      await tx.updateTable('users').set({ display_name: 'busy' }).where('id', '=', user.id).execute()
      tries.push(store.run([hold('a', 100)]), other.run([hold('a', 100)]))
      await waiting(app, 2)
    })
    const answers = (await Promise.all(tries)).flat()
    expect(answers).toContainEqual({ ok: true, type: 'held', fresh: true })
    expect(answers).toContainEqual({ ok: true, type: 'held', fresh: false })
    expect(await account()).toMatchObject({ held: 100 })
  })

  test('a batch that the database aborts to end a deadlock is run again', async () => {
    const { app, store, hold, settle, user, tokenId, account } = await ledgerFixture()
    await store.run([hold('a', 100)])
    const ends: Promise<unknown>[] = []
    const inTheWay = transact(app.db, async (tx) => {
      // So that the database aborts the batch. If it does not, the batch has waited and still completes.
      await sql`SET LOCAL deadlock_timeout = '20s'`.execute(tx)
      await tx.updateTable('tokens').set({ name: 'renamed' }).where('id', '=', tokenId).execute()
      ends.push(store.run([settle('a', 30)]))
      await waiting(app, 1)
      await tx.updateTable('users').set({ display_name: 'renamed' }).where('id', '=', user.id).execute()
    })
    await inTheWay.catch(() => {})
    expect((await Promise.all(ends)).flat()).toMatchObject([{ ok: true, charged: 30 }])
    expect(await account()).toMatchObject({ quota: 999_970, held: 0 })
    expect(await app.audit()).toEqual([])
  })

  test('a batch whose connection is lost is run again on another one', async () => {
    const { app, store, hold, user, account } = await ledgerFixture()
    const tries: Promise<unknown>[] = []
    await transact(app.db, async (tx) => {
      await tx.updateTable('users').set({ display_name: 'busy' }).where('id', '=', user.id).execute()
      tries.push(store.run([hold('a', 100)]))
      await waiting(app, 1)
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(app.db)
    })
    expect((await Promise.all(tries)).flat()).toMatchObject([{ ok: true, fresh: true }])
    expect(await account()).toMatchObject({ held: 100 })
  })

  test('a refused statement leaves nothing behind, neither rows nor an open transaction', async () => {
    const { app, store, hold, account } = await ledgerFixture()
    // As many as the store has connections, and one more.
    for (const id of ['a', 'b', 'c']) {
      const refused = store.run([hold(id, 10), { ...hold('unwritable', 10), price: null as unknown as string }])
      await expect(refused).rejects.toThrow()
    }
    expect(await store.run([hold('good', 7)])).toMatchObject([{ ok: true, fresh: true }])
    expect(await account()).toMatchObject({ held: 7 })
    const { rows } = await sql<{ left: number }>`SELECT count(*) AS left FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%'`.execute(app.db)
    expect(rows).toEqual([{ left: 0 }])
  })

  test('a limit that is edited while a call ends is kept, and the charge is taken from it', async () => {
    const { app, store, hold, settle, tokenId } = await ledgerFixture()
    const key = app.db.updateTable('tokens').where('id', '=', tokenId)
    await key.set({ unlimited_quota: 0, remain_quota: 1000 }).execute()
    await store.run([hold('a', 50)])
    const ends: Promise<unknown>[] = []
    await transact(app.db, async (tx) => {
      await tx.updateTable('tokens').set({ remain_quota: 500 }).where('id', '=', tokenId).execute()
      ends.push(store.run([settle('a', 30)]))
      await waiting(app, 1)
    })
    await Promise.all(ends)
    const row = await app.db.selectFrom('tokens').select(['remain_quota', 'held']).where('id', '=', tokenId).execute()
    expect(row).toEqual([{ remain_quota: 470, held: 0 }])
  })
}

/** Resolves when this many sessions of the database wait for a lock. */
async function waiting(app: TestApp, count: number) {
  for (;;) {
    const { rows } = await sql<{ sessions: number }>`SELECT count(*) AS sessions FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(app.db)
    if ((rows[0]?.sessions ?? 0) >= count) return
    await Bun.sleep(5)
  }
}
