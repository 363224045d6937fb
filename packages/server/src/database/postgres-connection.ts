import { type ReservedSQL, SQL } from 'bun'

/** Rows as the client gives them, with what the statement did. */
export interface Rows extends Array<Record<string, unknown>> {
  command: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'
  count: number
}

/** The code is one of those that say that the database is away, and not that the statement was wrong. */
export class DatabaseSilent extends Error {
  readonly code = 'ERR_POSTGRES_CONNECTION_TIMEOUT'
}

const CONNECT_SEC = 5

/**
 * The server ends what takes too long, and gives up a client that is gone without a word: until it does, that client's
 * locks stand in everybody's way.
 */
const SESSION = `SELECT set_config('statement_timeout', $1, false),
  set_config('idle_in_transaction_session_timeout', $1, false), set_config('tcp_keepalives_idle', '10', false),
  set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false),
  set_config('tcp_user_timeout', '30000', false)`

/** A plan that was made while a table was small must not read all of it when it has grown. */
const BY_KEYS = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'].map((name) => `SET ${name} = off`).join(';')

/** One connection to PostgreSQL, which can be given up alone when nothing comes back from it. */
export class Connection {
  private readonly pending = new Set<(error: Error) => void>()
  private looks = 0

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
    // The client's own limit ends with the handshake.
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
    this.looks = 0
    const { promise, reject } = Promise.withResolvers<never>()
    this.pending.add(reject)
    try {
      return await Promise.race([this.reserved.unsafe<Rows>(text, parameters), promise])
    } finally {
      this.pending.delete(reject)
      this.looks = 0
    }
  }

  /**
   * Counts a look; answers how many there have been since the last sign of life. Looks and not a clock: after a sleep of
   * the process the first one still finds unread what has come meanwhile, which must not be taken for silence.
   */
  look() {
    return ++this.looks
  }

  isAsking() {
    return this.pending.size > 0
  }

  end(): Promise<void> {
    for (const reject of this.pending) reject(new DatabaseSilent('The database does not answer'))
    return this.sql.close({ timeout: 0 }).catch(() => {})
  }
}
