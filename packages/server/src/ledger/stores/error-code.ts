/** The code of a database's error: PostgreSQL's own of five characters, or that of the client. */
export function codeOf(error: unknown) {
  if (!(error instanceof Error)) return ''
  const { code, errno } = error as Error & { code?: unknown; errno?: unknown }
  return /^\w{5}$/.test(String(errno)) ? String(errno) : String(code ?? '')
}
