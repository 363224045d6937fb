import { expect, test } from 'bun:test'
import type { LogFilter } from '@tollgate/contract'
import { sql } from 'kysely'
import { testApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'
import { logsRepository } from './logs-repository.ts'

const EVERYBODYS = ['username', 'token_name', 'model_name', 'channel', 'type']
const ANYTHING: LogFilter = {
  ...{ username: '', token_name: '', model_name: '', channel: 0, type: 0, session: '', request_id: '' },
  ...{ start_timestamp: 0, end_timestamp: 0, outcome: '', min_quota: 0, min_elapsed: 0, stream: '' },
}
const OWN = ['token_name', 'model_name', 'type']

if (engine === 'sqlite') {
  test('whichever condition leads, its index has what the others ask for: no entry is read only to be passed over', async () => {
    const { db } = await testApp()
    const ways = [...EVERYBODYS.map((lead) => ({ lead, others: EVERYBODYS })), { lead: 'user_id', others: OWN }]
    ways.push({ lead: 'session', others: ['type', 'user_id', 'quota'] })
    for (const { lead, others } of ways) {
      const { rows } = await sql<{ detail: string }>`EXPLAIN QUERY PLAN SELECT id, ${sql.join(others.map(sql.ref))}
        FROM logs WHERE ${sql.ref(lead)} = 1 ORDER BY created_at DESC, id DESC`.execute(db)
      expect(rows).toEqual([
        expect.objectContaining({ detail: expect.stringMatching(new RegExp(`COVERING INDEX \\w+ .${lead}=`)) }),
      ])
    }
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
    const wanted = { scope: 'everyone' as const, filter: ANYTHING, keyword }
    return logsRepository(db, maxMs).page(wanted, { p: 0 }, 'en')
  }
  expect(await look('no such text', 0)).toMatchObject({ rows: [], total: 0, more: true })
  expect(await look('needle', 60_000)).toMatchObject({ total: 1, more: false })
  expect(await look('no such text', 60_000)).toMatchObject({ rows: [], total: 0, more: false })
})
