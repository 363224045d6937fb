import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { testApp } from '../testing/app.ts'
import { engine } from '../testing/database.ts'

const EVERYBODYS = ['username', 'token_name', 'model_name', 'channel', 'type']
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
