/** One JSON line per event on standard output. What looks like a secret, or is named like one, is redacted. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

export const createLog = (write: (line: string) => void = (line) => console.log(line)): Log => {
  const at =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      write(redact(JSON.stringify({ time: new Date().toISOString(), level, message, ...plain(fields) })))
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

const SECRETS = [
  /\b(sk|at)-[A-Za-z0-9_-]{8,}/g,
  /\b(Bearer|Basic)\s+[^\s"\\]+/gi,
  /\b(key|token|secret|password|code)=[^&\s"\\]+/gi,
  // A member of that name, and the password in a URL such as postgres://user:password@host.
  /(?<="[\w-]*(key|token|secret|password|authorization|cookie)":")([^"\\]|\\.)+/gi,
  /(?<=:\/\/)[^\s/@"\\]*:[^\s@"\\]*(?=@)/g,
  /-----BEGIN [^-]+-----.*?-----END [^-]+-----/gs,
]

export function redact(text: string) {
  return SECRETS.reduce((rest, pattern) => rest.replace(pattern, '[secret]'), text)
}

/** An error becomes its message and stack, with the chain of causes. */
function plain(fields: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? described(value) : value]),
  )
}

function described(error: Error): Record<string, unknown> {
  const cause = error.cause instanceof Error ? { cause: described(error.cause) } : {}
  // A stack starts with the message, line by line, where no pattern would match a secret that spans lines.
  const stack = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { name: error.name, message: error.message, stack: stack?.slice(0, 5), ...cause }
}
