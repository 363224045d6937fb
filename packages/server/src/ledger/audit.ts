import { type RawBuilder, sql } from 'kysely'
import { type Db, transact } from '../database/client.ts'

/** Something in the books that does not add up. */
export interface Finding {
  invariant: string
  says: string
  subject: string
  found: string
  expected: string
}

interface Check {
  invariant: string
  says: string
  /** Rows of (subject, found, expected) that break the invariant. */
  query: RawBuilder<{ subject: string | number; found: unknown; expected: unknown }>
}

/** Re-adds the books in one transaction, and lists what does not add up. */
export const auditBooks = (db: Db): Promise<Finding[]> =>
  transact(db, async (tx) => {
    const findings: Finding[] = []
    for (const { invariant, says, query } of CHECKS) {
      for (const { subject, found, expected } of (await query.execute(tx)).rows) {
        findings.push({ invariant, says, subject: String(subject), found: String(found), expected: String(expected) })
      }
    }
    return findings
  })

const CHECKS: Check[] = [
  {
    invariant: 'I1',
    says: "users.held is the sum of the user's open holds",
    query: sql`SELECT u.id AS subject, u.held AS found, coalesce(h.total, 0) AS expected FROM users u
      LEFT JOIN (SELECT user_id, sum(amount) AS total FROM holds WHERE state = 0 GROUP BY user_id) h ON h.user_id = u.id
      WHERE u.held <> coalesce(h.total, 0)`,
  },
  {
    invariant: 'I2',
    says: 'tokens.held is the sum of the open holds made while the token was limited',
    query: sql`SELECT t.id AS subject, t.held AS found, coalesce(h.total, 0) AS expected FROM tokens t
      LEFT JOIN (SELECT token_id, sum(amount) AS total FROM holds WHERE state = 0 AND limited = 1 GROUP BY token_id) h
        ON h.token_id = t.id
      WHERE t.held <> coalesce(h.total, 0)`,
  },
  {
    invariant: 'I3',
    says: "users.quota is the sum of the user's ledger",
    query: sql`SELECT u.id AS subject, u.quota AS found, coalesce(l.total, 0) AS expected FROM users u
      LEFT JOIN (SELECT user_id, sum(delta) AS total FROM ledger GROUP BY user_id) l ON l.user_id = u.id
      WHERE u.quota <> coalesce(l.total, 0)`,
  },
  {
    invariant: 'I4',
    says: 'each ledger row continues the balance of the one before',
    query: sql`SELECT id AS subject, balance AS found, before + delta AS expected FROM (
        SELECT id, balance, delta, coalesce(lag(balance) OVER (PARTITION BY user_id ORDER BY id), 0) AS before FROM ledger
      ) chain WHERE balance <> before + delta`,
  },
  {
    invariant: 'I5',
    says: 'users.used_quota and request_count follow from the ledger',
    query: sql`SELECT u.id AS subject, u.used_quota AS found, coalesce(l.used, 0) AS expected FROM users u
      LEFT JOIN (SELECT user_id, -sum(delta) AS used, sum(CASE WHEN kind = 'consume' THEN 1 ELSE 0 END) AS calls
        FROM ledger WHERE kind IN ('consume', 'late') GROUP BY user_id) l ON l.user_id = u.id
      WHERE u.used_quota <> coalesce(l.used, 0) OR u.request_count <> coalesce(l.calls, 0)`,
  },
  {
    invariant: 'I6',
    says: 'tokens.used_quota follows from the ledger',
    query: sql`SELECT t.id AS subject, t.used_quota AS found, coalesce(l.used, 0) AS expected FROM tokens t
      LEFT JOIN (SELECT token_id, -sum(delta) AS used FROM ledger WHERE kind IN ('consume', 'late') GROUP BY token_id) l
        ON l.token_id = t.id
      WHERE t.used_quota <> coalesce(l.used, 0)`,
  },
  {
    invariant: 'I7',
    says: 'channels.used_quota follows from the ledger',
    query: sql`SELECT c.id AS subject, c.used_quota AS found, coalesce(l.used, 0) AS expected FROM channels c
      LEFT JOIN (SELECT channel_id, -sum(delta) AS used FROM ledger WHERE kind IN ('consume', 'late') GROUP BY channel_id) l
        ON l.channel_id = c.id
      WHERE c.used_quota <> coalesce(l.used, 0)`,
  },
  {
    invariant: 'I8',
    says: 'a closed hold was charged exactly what it says, an open one nothing',
    query: sql`SELECT h.id AS subject, coalesce(l.charged, 0) AS found, coalesce(h.actual, 0) AS expected FROM holds h
      LEFT JOIN (SELECT ref, -sum(delta) AS charged FROM ledger WHERE kind IN ('consume', 'late') GROUP BY ref) l
        ON l.ref = h.id
      WHERE (h.state <> 0 AND coalesce(l.charged, 0) <> coalesce(h.actual, -1)) OR (h.state = 0 AND l.ref IS NOT NULL)`,
  },
  {
    invariant: 'I9',
    says: 'a redemption code is used exactly when it was credited once, with its quota',
    query: sql`SELECT r.id AS subject, coalesce(l.credited, 0) AS found,
        CASE WHEN r.status = 3 THEN r.quota ELSE 0 END AS expected FROM redemptions r
      LEFT JOIN (SELECT ref, sum(delta) AS credited FROM ledger WHERE kind = 'redeem' GROUP BY ref) l
        ON l.ref = CAST(r.id AS text)
      WHERE coalesce(l.credited, 0) <> CASE WHEN r.status = 3 THEN r.quota ELSE 0 END`,
  },
  {
    invariant: 'I10',
    says: 'no hold is open whose process has ended',
    query: sql`SELECT h.id AS subject, h.state AS found, 1 AS expected FROM holds h
      JOIN owners o ON o.epoch = h.epoch WHERE h.state = 0 AND o.closed_at IS NOT NULL`,
  },
  {
    invariant: 'I13',
    says: 'a new account brings each kind of bonus at most once',
    query: sql`SELECT ref AS subject, count(*) AS found, 1 AS expected FROM ledger
      WHERE kind = 'bonus' GROUP BY ref HAVING count(*) > 1`,
  },
]
