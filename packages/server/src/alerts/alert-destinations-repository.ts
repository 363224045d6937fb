import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../database/client.ts'
import { countRows } from '../database/count.ts'
import type { Schema } from '../database/schema.ts'

export type StoredDestination = Selectable<Schema['alert_destinations']>

export const alertDestinationsRepository = (db: Db) => ({
  insert: (row: Insertable<Schema['alert_destinations']>) =>
    db.insertInto('alert_destinations').values(row).returningAll().executeTakeFirstOrThrow(),

  find: (id: number) => db.selectFrom('alert_destinations').selectAll().where('id', '=', id).executeTakeFirst(),

  /** The owner's destinations among these ids; those of other owners are left out. */
  named: (ownerId: number, ids: readonly number[]) =>
    db
      .selectFrom('alert_destinations')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('id', 'in', ids.length === 0 ? [0] : ids)
      .orderBy('id')
      .execute(),

  all: (ownerId: number) => ofOwner(db, ownerId).selectAll().orderBy('id').execute(),

  count: (ownerId: number) => countRows(ofOwner(db, ownerId)),

  update: (id: number, columns: Updateable<Schema['alert_destinations']>) =>
    db.updateTable('alert_destinations').set(columns).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),

  remove: (id: number) => db.deleteFrom('alert_destinations').where('id', '=', id).execute(),
})

const ofOwner = (db: Db, ownerId: number) => db.selectFrom('alert_destinations').where('owner_id', '=', ownerId)
