import { type ReservedSQL, SQL } from 'bun'
import { isReadOnlyRefusal } from './unavailable.ts'

/** Rows of the client, with the statement's result. */
export interface Rows extends Array<Record<string, unknown>> {
  command: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'
  count: number
}

/** Its code is one of those for an unavailable database, not for a wrong statement. */
export class DatabaseSilent extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_TIMEOUT'
}

const CONNECT_SEC = 5

/**
 * The server ends slow statements, and drops a client that vanished: until then that client's locks block everyone.
 */
const SESSION = `SELECT set_config('statement_timeout', $1, false),
  set_config('idle_in_transaction_session_timeout', $1, false), set_config('tcp_keepalives_idle', '10', false),
  set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false),
  set_config('tcp_user_timeout', '30000', false)`

/** A plan made while a table was small must not scan it when it has grown, and none is made anew for each batch. */
const BY_KEYS = [
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'plan_cache_mode = force_generic_plan',
]
  .map((setting) => `SET ${setting}`)
  .join(';')

/** One connection to PostgreSQL, which can be dropped alone when it stops answering. */
export class Connection {
  private readonly pending = new Set<(error: Error) => void>()
  private checks = 0
  /** The server refused to write: another one may have become the primary. */
  isReadOnly = false

  private constructor(
    private readonly sql: SQL,
    private readonly reserved: ReservedSQL,
  ) {}

  static async open(
    url: string,
    { statementMs, byKeys = false }: { statementMs: number; byKeys?: boolean },
    onClose: (connection: Connection) => void,
  ) {
    let connection: Connection | undefined
    const sql = new SQL(url, {
      ...{ bigint: true, max: 1, idleTimeout: 0, connectionTimeout: CONNECT_SEC },
      onclose: () => connection && onClose(connection),
    })
    const close = () => void sql.close({ timeout: 0 }).catch(() => {})
    // The client's own timeout covers only the handshake.
    const tooLate = setTimeout(close, CONNECT_SEC * 1000)
    try {
      const reserved = await sql.reserve()
      await reserved.unsafe(SESSION, [String(statementMs)])
      if (byKeys) await reserved.unsafe(BY_KEYS)
      connection = new Connection(sql, reserved)
      return connection
    } catch (error) {
      close()
      throw error
    } finally {
      clearTimeout(tooLate)
    }
  }

  async ask(text: string, parameters: unknown[] = []): Promise<Rows> {
    this.checks = 0
    const { promise, reject } = Promise.withResolvers<never>()
    this.pending.add(reject)
    try {
      return await Promise.race([this.reserved.unsafe<Rows>(text, parameters.map(withoutNul)), promise])
    } catch (error) {
      this.isReadOnly ||= isReadOnlyRefusal(error)
      throw error
    } finally {
      this.pending.delete(reject)
      this.checks = 0
    }
  }

  /**
   * Counts checks since the last sign of life. Checks instead of a clock: after a suspended process the first check still finds
   * unread data, which must not count as silence.
   */
  countChecks() {
    return ++this.checks
  }

  isAsking() {
    return this.pending.size > 0
  }

  end(): Promise<void> {
    for (const reject of this.pending) reject(new DatabaseSilent('The database does not answer'))
    return this.sql.close({ timeout: 0 }).catch(() => {})
  }
}

/**
 * PostgreSQL has no NUL in texts, and refuses the whole statement. Callers and vendors may send one where nobody expects it: in an id,
 * or in the message of an error that ends up in a settlement, which would then be repeated forever.
 */
const withoutNul = (value: unknown) =>
  typeof value === 'string' && value.includes('\u0000') ? value.replaceAll('\u0000', '') : value
