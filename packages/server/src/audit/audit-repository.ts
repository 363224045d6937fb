import type { AuditEvent, AuditFilter } from '@tollgate/contract'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import { contains } from '../database/like.ts'
import type { PageWindow } from '../database/page-window.ts'
import type { Schema } from '../database/schema.ts'
import { namesOf } from './target-names.ts'

export const auditRepository = (db: Db) => ({
  insert: (events: Insertable<Schema['audit_events']>[]) => db.insertInto('audit_events').values(events).execute(),

  async list({ limit, offset }: PageWindow, filter: AuditFilter): Promise<{ rows: AuditEvent[]; total: number }> {
    const matching = matchingEvents(db, filter)
    const rows = await matching
      .select(['id', 'created_at', 'actor_id', 'actor_name', 'action', 'target', 'before', 'after', 'ip'])
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    const names = await namesOf(
      db,
      rows.map(({ target }) => target),
    )
    return {
      rows: rows.map((row) => ({
        ...row,
        target_name: names.get(row.target) ?? '',
        before: facts(row.before),
        after: facts(row.after),
      })),
      total: await countRows(matching),
    }
  },
})

function matchingEvents(db: Db, { target, actor, noun, start }: AuditFilter) {
  return db
    .selectFrom('audit_events')
    .$if(start > 0, (query) => query.where('created_at', '>=', start))
    .$if(noun !== '', (query) => query.where(sql<string>`substr(action, 1, ${noun.length + 1})`, '=', `${noun}.`))
    .$if(actor !== '', (query) => query.where((column) => contains(column.ref('actor_name'), actor)))
    .$if(target !== '', (query) =>
      query.where((column) =>
        column.or([
          contains(column.ref('target'), target),
          column(
            'target',
            'in',
            db
              .selectFrom('channels')
              .select(sql<string>`'channel:' || id`.as('target'))
              .where((channel) => contains(channel.ref('name'), target)),
          ),
          column(
            'target',
            'in',
            db
              .selectFrom('users')
              .select(sql<string>`'user:' || id`.as('target'))
              .where((user) => contains(user.ref('username'), target)),
          ),
        ]),
      ),
    )
}

function facts(text: string | null): Record<string, unknown> | null {
  return text === null ? null : JSON.parse(text)
}
