import type { OptionKey } from '@tollgate/contract'

/** Initial values of a new installation that differ from the defaults: older installations keep what they had. */
export const INITIAL_OPTIONS: Partial<Record<OptionKey, string>> = { RetryTimes: '2' }
