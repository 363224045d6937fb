import { QUOTA_MAX } from '@tollgate/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { LASTING } from '../books.ts'
import type { Derived, Finding } from './report.ts'

/** A question to the database, which it answers with rows of (subject, found, expected) that break the invariant. */
export interface Check {
  invariant: string
  says: string
  query: RawBuilder<unknown>
  /** The wrong column, if it can be recomputed. */
  derived?: Derived
}

/** The rows with an id above `after`, up to `to`. */
export interface Ids {
  after: number
  to: number
}

export const ALL: Ids = { after: 0, to: Number.MAX_SAFE_INTEGER }

/** Each check is one statement, so that it compares a consistent state. */
export const runCheck = async (view: Db, { invariant, says, query, derived }: Check): Promise<Finding[]> => {
  // As texts: some checks look for numbers that are out of bounds.
  const { rows } = await sql<{ subject: string; found: string; expected: string }>`SELECT
    CAST(subject AS text) AS subject, CAST(found AS text) AS found, CAST(expected AS text) AS expected
    FROM (${query}) AS broken`.execute(view)
  return rows.map((row) => ({ invariant, says, ...row, ...(derived === undefined ? {} : { derived }) }))
}

export const userChecks = ({ after, to }: Ids): Check[] => [
  {
    invariant: 'I1',
    says: "users.held is the sum of the user's open holds",
    derived: 'users.held',
    query: sql`SELECT u.id AS subject, u.held AS found, coalesce(h.total, 0) AS expected FROM users u
      LEFT JOIN (SELECT user_id, sum(amount) AS total FROM holds
        WHERE state = 0 AND user_id > ${after} AND user_id <= ${to} GROUP BY user_id) h ON h.user_id = u.id
      WHERE u.id > ${after} AND u.id <= ${to} AND u.held <> coalesce(h.total, 0)`,
  },
  {
    invariant: 'I12',
    says: 'what calls have set aside is there, but for an overrun that the books know',
    query: sql`SELECT id AS subject, quota - held AS found, 0 - overrun AS expected FROM users
      WHERE id > ${after} AND id <= ${to} AND quota - held < 0 - overrun`,
  },
  wholeNumbers({ users: ['quota', 'held', 'overrun', 'used_quota', 'request_count'] }, { after, to }),
]

export const tokenChecks = ({ after, to }: Ids): Check[] => [
  {
    invariant: 'I2',
    says: 'tokens.held is the sum of the open holds made while the token was limited',
    derived: 'tokens.held',
    query: sql`SELECT t.id AS subject, t.held AS found, coalesce(h.total, 0) AS expected FROM tokens t
      LEFT JOIN (SELECT token_id, sum(amount) AS total FROM holds
        WHERE state = 0 AND limited = 1 AND token_id > ${after} AND token_id <= ${to} GROUP BY token_id) h
        ON h.token_id = t.id
      WHERE t.id > ${after} AND t.id <= ${to} AND t.held <> coalesce(h.total, 0)`,
  },
  wholeNumbers({ tokens: ['remain_quota', 'held', 'used_quota'] }, { after, to }),
]

/** Follows from I3 when the whole ledger is summed; otherwise this is what can be said of every balance. */
export const newestBalance = ({ after, to }: Ids): Check => ({
  invariant: 'I4',
  says: "users.quota is the balance of the user's newest ledger row",
  query: sql`SELECT subject, found, expected FROM (SELECT u.id AS subject, u.quota AS found, coalesce(
      (SELECT l.balance FROM ledger l WHERE l.user_id = u.id ORDER BY l.id DESC LIMIT 1), 0) AS expected
      FROM users u WHERE u.id > ${after} AND u.id <= ${to}) AS newest WHERE found <> expected`,
})

/** A realtime conversation may last 65 minutes; ten more are for a database that was down when it ended. */
const HOLD_AGE_MAX_SEC = 75 * 60

/** The sweep of a dead process's epoch is about to end its holds; until then they are no error. */
const SWEEP_MAX_SEC = 60

export const openHoldChecks = (nowSec: number): Check[] => [
  {
    invariant: 'I10',
    says: 'no hold is open whose process has ended',
    query: sql`SELECT h.id AS subject, h.state AS found, 1 AS expected FROM holds h
      JOIN owners o ON o.epoch = h.epoch
      WHERE h.state = 0 AND h.epoch <> ${LASTING} AND o.closed_at < ${nowSec} - ${SWEEP_MAX_SEC}`,
  },
  {
    invariant: 'I10',
    says: 'no hold is open for longer than a call may take',
    query: sql`SELECT id AS subject, ${nowSec} - created_at AS found, ${HOLD_AGE_MAX_SEC} AS expected FROM holds
      WHERE state = 0 AND epoch <> ${LASTING} AND created_at < ${nowSec} - ${HOLD_AGE_MAX_SEC}`,
  },
  {
    invariant: 'I10',
    says: 'a hold that outlasts its process is open only as long as its batch is',
    query: sql`SELECT h.id AS subject, h.state AS found, 1 AS expected FROM holds h
      LEFT JOIN batches b ON b.id = h.id AND b.settled_at IS NULL
      WHERE h.state = 0 AND h.epoch = ${LASTING} AND b.id IS NULL`,
  },
]

/** Holds that are open, were closed since, or were corrected by a checked ledger row. */
export const checkedHolds = (ledger: Ids, closedSince: number) =>
  sql<boolean>`(h.state = 0 OR h.closed_at >= ${closedSince}
    OR h.id IN (SELECT ref FROM ledger WHERE kind = 'late' AND id > ${ledger.after}))`

export const recordChecks = (ledger: Ids, closedSince: number): Check[] => [
  {
    invariant: 'I8',
    says: 'a closed hold was charged exactly what it says, an open one nothing',
    query: sql`SELECT h.id AS subject, 0 - coalesce(c.delta, 0) - coalesce(l.delta, 0) AS found,
        coalesce(h.actual, 0) AS expected FROM holds h
      LEFT JOIN ledger c ON c.kind = 'consume' AND c.ref = h.id
      LEFT JOIN (SELECT ref, sum(delta) AS delta FROM ledger WHERE kind = 'late' GROUP BY ref) l ON l.ref = h.id
      WHERE ${checkedHolds(ledger, closedSince)} AND
        ((h.state <> 0 AND 0 - coalesce(c.delta, 0) - coalesce(l.delta, 0) <> coalesce(h.actual, -1))
        OR (h.state = 0 AND (c.ref IS NOT NULL OR l.ref IS NOT NULL)))`,
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
  wholeNumbers({ channels: ['used_quota'], redemptions: ['quota'], holds: ['amount', 'progress', 'actual'] }, ALL),
  wholeNumbers({ ledger: ['delta', 'balance', 'calls'] }, ledger),
  {
    invariant: 'I13',
    says: 'a new account brings each kind of bonus at most once',
    query: sql`SELECT ref AS subject, count(*) AS found, 1 AS expected FROM ledger
      WHERE kind = 'bonus' GROUP BY ref HAVING count(*) > 1`,
  },
]

/** SQLite would store a fraction or a text in these columns, which then differs when cast to an integer. */
function wholeNumbers(tables: Record<string, string[]>, { after, to }: Ids): Check {
  const broken = Object.entries(tables).map(([table, columns]) => {
    const wrong = (column: string) => `${column} <> CAST(${column} AS bigint) OR abs(${column}) > ${QUOTA_MAX}`
    const first = columns.map((column) => `WHEN ${wrong(column)} THEN '${column} ' || ${column}`).join(' ')
    // Only the ids of holds are texts, and those are checked as a whole.
    const range = after === 0 && to === ALL.to ? '' : `id > ${after} AND id <= ${to} AND`
    return `SELECT '${table} ' || id AS subject, CASE ${first} END AS found FROM ${table}
      WHERE ${range} (${columns.map(wrong).join(' OR ')})`
  })
  return {
    invariant: 'I11',
    says: 'every amount is a whole number within its bounds',
    query: sql`SELECT subject, found, 'a whole number' AS expected FROM (${sql.raw(broken.join(' UNION ALL '))}) AS amounts`,
  }
}
