import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { testApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'
import { openDatabase, transact } from './client.ts'
import { migrate } from './migrate.ts'

const NAMES = ['logs_by_time', 'logs_by_type', 'logs_by_user', 'logs_money', 'logs_outcome', 'logs_session']

async function indexesOf(db: Parameters<typeof transact>[0]) {
  const { rows } = await (engine === 'postgres'
    ? sql<{ name: string }>`SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indrelid = 'logs'::regclass AND indisvalid AND NOT indisprimary`
    : sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'logs'`
  ).execute(db)
  return rows.map(({ name }) => name).sort()
}

test('the log of an earlier version gets the indexes of this one and loses its own', async () => {
  const { db } = await testApp()
  expect(await indexesOf(db)).toEqual(NAMES)
  await sql`DROP INDEX logs_by_time`.execute(db)
  await sql`CREATE INDEX logs_model ON logs (model_name, created_at, id)`.execute(db)
  await migrate({ db, engine })
  expect(await indexesOf(db)).toEqual(NAMES)
})

if (engine === 'postgres') {
  test('an interrupted index build is repeated, by one of several nodes that start together, while calls are logged', async () => {
    const { db, location } = await testApp()
    await sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'logs_by_user'::regclass`.execute(db)
    const nodes = [openDatabase(location), openDatabase(location)]
    const building = Promise.all(nodes.map((node) => migrate(node)))
    await db
      .insertInto('logs')
      .values({
        ...{ user_id: 1, created_at: 1, type: 2, channel: 0, username: '', token_name: '', model_name: '' },
        ...{ prompt_tokens: 0, completion_tokens: 0, quota: 0, content: '', content_en: '' },
      })
      .execute()
    await building
    expect(await indexesOf(db)).toEqual(NAMES)
    await Promise.all(nodes.map(({ close }) => close()))
  })

  test('a migration that finds a table in use lets others pass and retries', async () => {
    const { db, location } = await testApp()
    const node = openDatabase(location)
    const waited = Promise.withResolvers<void>()
    const using = transact(db, async (tx) => {
      await sql`LOCK TABLE kysely_migration IN ACCESS EXCLUSIVE MODE`.execute(tx)
      await waited.promise
    })
    const migrating = migrate(node)
    const isWaiting = async () => {
      const { rows } = await sql<{ waits: number }>`SELECT count(*) AS waits FROM pg_locks WHERE NOT granted`.execute(
        db,
      )
      return Number(rows[0]?.waits) > 0
    }
    while (!(await isWaiting()));
    while (await isWaiting());
    waited.resolve()
    await using
    expect(await migrating).toBe(0)
    await node.close()
  })
}
