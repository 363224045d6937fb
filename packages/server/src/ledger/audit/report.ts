/** Columns that follow from the holds and the ledger, and can be computed again. */
export type Derived =
  | 'users.held'
  | 'users.used_quota'
  | 'users.request_count'
  | 'tokens.held'
  | 'tokens.used_quota'
  | 'channels.used_quota'

/** Something in the books that does not add up. */
export interface Finding {
  invariant: string
  says: string
  subject: string
  found: string
  expected: string
  derived?: Derived
}

/** What an audit reads. */
export const TABLES = ['users', 'tokens', 'channels', 'redemptions', 'holds', 'ledger'] as const

export interface Report {
  findings: Finding[]
  /** How many rows of each table were looked at. */
  counts: Record<(typeof TABLES)[number], number>
}
