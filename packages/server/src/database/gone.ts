/** Whether an error says that the database cannot be reached or cannot write right now. It comes back; a bug does not. */
export const isDatabaseGone = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code, errno } = error as Error & { code?: unknown; errno?: unknown }
  return GONE.test(String(code)) || POSTGRES_GONE.test(String(errno))
}

const GONE = /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|CONNECT)|^SQLITE_(BUSY|FULL|IOERR|CANTOPEN)|^ECONN/

/**
 * PostgreSQL is shutting down or starting up (57P…), has no connection left (53300), the disk is full (53100), or it took
 * too long (57014) or waited too long for a lock (55P03).
 */
const POSTGRES_GONE = /^(57P0[1235]|57014|55P03|25P03|53300|53100)$/
