/** True when a write violated a unique constraint, in either engine. */
export const isUniqueViolation = (error: unknown) => {
  if (!(error instanceof Error)) return false
  const { code, errno } = error as Error & { code?: unknown; errno?: unknown }
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || errno === '23505'
}
