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

const GONE = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|CONNECT)|^SQLITE_(BUSY|FULL|IOERR|CANTOPEN)|^ECONN/

/**
 * PostgreSQL is shutting down or starting up (57P…), has no connection left (53300), the disk is full (53100), a statement
 * timed out (57014), a lock was not available in time (55P03), two transactions waited for each other (40P01) or could not be put into an
 * order (40001), or the server only reads (25006).
 */
const POSTGRES_GONE = /^(57P0[1235]|57014|55P03|25P03|53300|53100|40P01|40001|25006)$/
