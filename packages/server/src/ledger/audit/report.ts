/** Columns that follow from holds and ledger, and can be recomputed. */
export type Derived =
  | 'users.held'
  | 'users.used_quota'
  | 'users.request_count'
  | 'tokens.held'
  | 'tokens.used_quota'
  | 'channels.used_quota'

/** A violated invariant of the ledger. */
export interface Finding {
  invariant: string
  says: string
  subject: string
  found: string
  expected: string
  derived?: Derived
}

/** The tables an audit reads. */
export const TABLES = ['users', 'tokens', 'channels', 'redemptions', 'holds', 'ledger'] as const

export interface Report {
  findings: Finding[]
  /** Checked rows per table. */
  counts: Record<(typeof TABLES)[number], number>
}
