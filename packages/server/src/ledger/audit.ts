import { QUOTA_MAX } from '@tollgate/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Database, readSnapshot } from '../database/client.ts'
import { auditChain, auditSums } from './audit-sums.ts'

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
  query: RawBuilder<unknown>
}

/** Re-adds the books as they are at one moment, and lists what does not add up. */
export const auditBooks = (database: Pick<Database, 'db' | 'engine'>, nowSec: number): Promise<Finding[]> =>
  readSnapshot(database, async (view) => {
    const findings = [...(await auditSums(view)), ...(await auditChain(view))]
    for (const { invariant, says, query } of [...CHECKS, ageCheck(nowSec)]) {
      // As texts: a number that is out of bounds is what some of these look for.
      const { rows } = await sql<{ subject: string; found: string; expected: string }>`SELECT
        CAST(subject AS text) AS subject, CAST(found AS text) AS found, CAST(expected AS text) AS expected
        FROM (${query}) AS broken`.execute(view)
      for (const row of rows) findings.push({ invariant, says, ...row })
    }
    return findings.sort((one, other) => numberOf(one) - numberOf(other))
  })

const numberOf = ({ invariant }: Finding) => Number(invariant.slice(1))

/** A conversation may last an hour and five minutes; ten more are for a database that was away when it ended. */
const HOLD_AGE_MAX_SEC = 75 * 60

const ageCheck = (nowSec: number): Check => ({
  invariant: 'I10',
  says: 'no hold is open for longer than a call may take',
  query: sql`SELECT id AS subject, ${nowSec} - created_at AS found, ${HOLD_AGE_MAX_SEC} AS expected FROM holds
    WHERE state = 0 AND created_at < ${nowSec} - ${HOLD_AGE_MAX_SEC}`,
})

const MONEY: Record<string, string[]> = {
  users: ['quota', 'held', 'overrun', 'used_quota', 'request_count'],
  tokens: ['remain_quota', 'held', 'used_quota'],
  channels: ['used_quota'],
  redemptions: ['quota'],
  holds: ['amount', 'progress', 'actual'],
  ledger: ['delta', 'balance', 'calls'],
}

/** SQLite would keep a fraction or a text in these columns, and what is cast to a whole number then differs. */
const notWhole = Object.entries(MONEY).map(([table, columns]) => {
  const wrong = (column: string) => `${column} <> CAST(${column} AS bigint) OR abs(${column}) > ${QUOTA_MAX}`
  const first = columns.map((column) => `WHEN ${wrong(column)} THEN '${column} ' || ${column}`).join(' ')
  return `SELECT '${table} ' || id AS subject, CASE ${first} END AS found FROM ${table} WHERE ${columns.map(wrong).join(' OR ')}`
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
    invariant: 'I8',
    says: 'a closed hold was charged exactly what it says, an open one nothing',
    query: sql`SELECT h.id AS subject, 0 - coalesce(c.delta, 0) - coalesce(l.delta, 0) AS found,
        coalesce(h.actual, 0) AS expected FROM holds h
      LEFT JOIN ledger c ON c.kind = 'consume' AND c.ref = h.id
      LEFT JOIN (SELECT ref, sum(delta) AS delta FROM ledger WHERE kind = 'late' GROUP BY ref) l ON l.ref = h.id
      WHERE (h.state <> 0 AND 0 - coalesce(c.delta, 0) - coalesce(l.delta, 0) <> coalesce(h.actual, -1))
        OR (h.state = 0 AND (c.ref IS NOT NULL OR l.ref IS NOT NULL))`,
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
    invariant: 'I11',
    says: 'every amount is a whole number within its bounds',
    query: sql`SELECT subject, found, 'a whole number' AS expected FROM (${sql.raw(notWhole.join(' UNION ALL '))}) AS amounts`,
  },
  {
    invariant: 'I12',
    says: 'what calls have set aside is there, but for an overrun that the books know',
    query: sql`SELECT id AS subject, quota - held AS found, 0 - overrun AS expected FROM users
      WHERE quota - held < 0 - overrun`,
  },
  {
    invariant: 'I13',
    says: 'a new account brings each kind of bonus at most once',
    query: sql`SELECT ref AS subject, count(*) AS found, 1 AS expected FROM ledger
      WHERE kind = 'bonus' GROUP BY ref HAVING count(*) > 1`,
  },
]
