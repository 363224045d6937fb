import { type Kysely, sql } from 'kysely'

/** Whether another model may answer a call of the key where the one that was asked for cannot. */
export async function up(db: Kysely<unknown>, types: { int: string }) {
  await sql.raw(`ALTER TABLE tokens ADD COLUMN fallback ${types.int} NOT NULL DEFAULT 1`).execute(db)
  if (types.int !== 'bigint') return
  await sql`CREATE TRIGGER tell_fallback AFTER UPDATE ON tokens FOR EACH ROW
    WHEN (OLD.fallback IS DISTINCT FROM NEW.fallback) EXECUTE FUNCTION tollgate_tell('keys')`.execute(db)
}
