/** Whether an error means that the database is unreachable or cannot write right now. That passes; a bug does not. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code, errno } = error as Error & { code?: unknown; errno?: unknown }
  return GONE.test(String(code)) || POSTGRES_GONE.test(String(errno))
}

/** PostgreSQL only reads: it is a standby, or was set so. */
export const isReadOnlyRefusal = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { errno?: unknown }).errno === READ_ONLY

const READ_ONLY = '25006'

const GONE = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|CONNECT)|^SQLITE_(BUSY|FULL|IOERR|CANTOPEN|READONLY)|^ECONN/

/**
 * By class: the connection (08, also in the words of a pooler in front), our sign-in (28), no connection, memory or disk left (53), and
 * failures of the system (58). Besides, PostgreSQL is shutting down or starting up (57P…), a statement (57014) or a transaction (25P03,
 * 25P04) timed out, a lock was not available in time (55P03), two transactions waited for each other (40P01) or could not be put into an
 * order (40001), or the server only reads (25006). The database may be closed to connections (55000) or have another name (3D000) while
 * somebody restores it.
 */
const POSTGRES_GONE = /^(?:(?:08|28|53|58)\w{3}|57P0[1235]|57014|25P0[34]|55P03|55000|3D000|40P01|40001|25006)$/
