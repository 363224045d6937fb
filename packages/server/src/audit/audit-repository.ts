import type { AuditEvent } from '@tollgate/contract'
import { PAGE_SIZE } from '@tollgate/contract'
import type { Insertable } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import { contains } from '../database/like.ts'
import type { Schema } from '../database/schema.ts'

export const auditRepository = (db: Db) => ({
  insert: (events: Insertable<Schema['audit_events']>[]) => db.insertInto('audit_events').values(events).execute(),

  async list(page: number, target: string): Promise<{ rows: AuditEvent[]; total: number }> {
    const matching = db
      .selectFrom('audit_events')
      .$if(target !== '', (query) => query.where((column) => contains(column.ref('target'), target)))
    const rows = await matching
      .select(['id', 'created_at', 'actor_id', 'actor_name', 'action', 'target', 'before', 'after', 'ip'])
      .orderBy('id', 'desc')
      .limit(PAGE_SIZE)
      .offset(page * PAGE_SIZE)
      .execute()
    return {
      rows: rows.map((row) => ({ ...row, before: facts(row.before), after: facts(row.after) })),
      total: await countRows(matching),
    }
  },
})

function facts(text: string | null): Record<string, unknown> | null {
  return text === null ? null : JSON.parse(text)
}
