import { expect, test } from 'bun:test'
import type { LogFilter } from '@tollgate/contract'
import { sql } from 'kysely'
import { testApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'
import { logsRepository } from './logs-repository.ts'

const ANYTHING: LogFilter = {
  ...{ username: '', group: '', token_name: '', model_name: '', channel: 0, type: 0, session: '', request_id: '' },
  ...{ start_timestamp: 0, end_timestamp: 0, outcome: '', min_quota: 0, min_elapsed: 0, stream: '' },
  ...{ no_model: '', offered: '', no_token: '', no_group: '', user_id: 0 },
}
const OTHERS = ['user_id', 'token_name', 'model_name', 'channel', 'type']
/** The order that an index promises must hold for those who read along it. */
const LEADS = { user_id: '', type: 'AND type <> 2', session: 'AND session IS NOT NULL' }

if (engine === 'sqlite') {
  test('whichever condition leads, its index contains the others’ columns: no entry is read only to be skipped', async () => {
    const { db } = await testApp()
    const planOf = async (where: string, others: string[]) => {
      const columns = sql.join(['id', ...others].map((column) => sql.ref(column)))
      const { rows } = await sql<{ detail: string }>`EXPLAIN QUERY PLAN SELECT ${columns} FROM logs
        ${sql.raw(where)} ORDER BY created_at DESC, id DESC`.execute(db)
      return rows.map(({ detail }) => detail)
    }
    for (const [lead, said] of Object.entries(LEADS)) {
      const others = lead === 'session' ? ['type', 'user_id', 'quota'] : OTHERS
      expect(await planOf(`WHERE ${lead} = 1 ${said}`, others)).toEqual([
        expect.stringMatching(new RegExp(`COVERING INDEX \\w+ .${lead}=`)),
      ])
    }
    expect(await planOf('', [...OTHERS, 'quota'])).toEqual([expect.stringContaining('COVERING INDEX logs_by_time')])
  })
}

test('a search that finds nothing ends in time, and says that there may be more', async () => {
  const { db } = await testApp()
  await sql`INSERT INTO logs (user_id, created_at, type, channel, username, token_name,
    model_name, prompt_tokens, completion_tokens, quota, content, content_en, request_id, elapsed_time, first_byte_time,
    is_stream, detail)
    WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 12000)
    SELECT 1, n, 1, 0, 'u', '', '', 0, 0, 0, CASE WHEN n = 1 THEN 'needle' ELSE 'hay' END, '', '', 0, 0, 0, '{}'
    FROM counter`.execute(db)
  const look = (keyword: string, maxMs?: number) => {
    const search = { scope: 'everyone' as const, filter: ANYTHING, keyword }
    return logsRepository(db, maxMs).page(search, { p: 0 }, 'en')
  }
  expect(await look('no such text', 0)).toMatchObject({ rows: [], total: 0, more: true })
  expect(await look('needle', 60_000)).toMatchObject({ total: 1, more: false })
  expect(await look('no such text', 60_000)).toMatchObject({ rows: [], total: 0, more: false })
})
