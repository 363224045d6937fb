/** True when a write failed because another row has the same value in a unique column, in either engine's words. */
export const isUniqueViolation = (error: unknown) => {
  if (!(error instanceof Error)) return false
  const { code, errno } = error as Error & { code?: unknown; errno?: unknown }
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || errno === '23505'
}
