import { Database } from 'bun:sqlite'

const USERS = 100
const OPENING = 1_000_000_000

/** A hundred users with a key and an opening balance each, in an unused database. */
export const addUsers = (path: string) =>
  inDatabase(path, (file) => {
    for (let n = 1; n <= USERS; n++) {
      const { id } = one(
        file,
        `INSERT INTO users (username, password, display_name, role, status, "group", quota, aff_code, created_time)
         VALUES ('bench-${n}', '', '', 1, 1, 'default', ${OPENING}, 'bench-${n}', 1) RETURNING id`,
      )
      file.run(`INSERT INTO ledger (ts, kind, ref, user_id, delta, balance)
        VALUES (1, 'opening', 'bench:${id}', ${id}, ${OPENING}, ${OPENING})`)
      file.run(`INSERT INTO tokens (user_id, name, key_hash, key_sealed, status, created_time, accessed_time,
        expired_time, unlimited_quota, models, subnet) VALUES (${id}, 'default', 'bench-${n}', '', 1, 1, 1, -1, 1, '', '')`)
    }
  })

/** The ledger rows of this many calls, each settled at 3 on a hold of 10. */
export const addCalls = (path: string, rows: number) =>
  inDatabase(path, (file) => {
    const each = Math.floor(rows / USERS)
    file.run("INSERT INTO owners (epoch, node, started_at, closed_at) VALUES ('bench', 'bench', 1, 2)")
    const calls = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${each}),
      payers AS MATERIALIZED (SELECT users.id AS user_id, tokens.id AS token_id, quota FROM users
        JOIN tokens ON tokens.user_id = users.id WHERE username LIKE 'bench-%')`
    const now = Math.floor(Date.now() / 1000)
    file.run(`INSERT INTO ledger (ts, kind, ref, user_id, token_id, delta, balance) ${calls}
      SELECT ${now}, 'consume', user_id || '-' || n, user_id, token_id, -3, quota - 3 * n FROM numbers, payers`)
    file.run(`INSERT INTO holds (id, epoch, user_id, token_id, amount, limited, state, actual, price, created_at, closed_at)
      ${calls} SELECT user_id || '-' || n, 'bench', user_id, token_id, 10, 0, 1, 3, '{}', ${now}, ${now} FROM numbers, payers`)
    file.run(`UPDATE users SET quota = quota - ${3 * each}, used_quota = used_quota + ${3 * each},
      request_count = request_count + ${each} WHERE username LIKE 'bench-%'`)
    file.run(`UPDATE tokens SET used_quota = used_quota + ${3 * each} WHERE key_hash LIKE 'bench-%'`)
  })

function inDatabase(path: string, work: (file: Database) => void) {
  const file = new Database(path)
  file.transaction(() => work(file))()
  file.close()
}

function one(file: Database, sql: string) {
  return file.query<{ id: number }, []>(sql).get() ?? { id: 0 }
}
