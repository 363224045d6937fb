import type { Db } from '../database/client.ts'

export const optionsRepository = (db: Db) => ({
  all: () => db.selectFrom('options').select(['key', 'value']).execute(),

  save: (key: string, value: string) =>
    db
      .insertInto('options')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute(),
})
