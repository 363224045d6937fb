import { QUOTA_MAX } from '@tollgate/contract'

/** An opening is the sum of two amounts, and has to stay in bounds. */
export const boundedQuota = (amount: number) => Math.max(-QUOTA_MAX / 4, Math.min(QUOTA_MAX / 4, amount))
