import type { OptionKey } from '@tollgate/contract'

/** What a new installation starts with, where that is not the default: those that are older keep what they had. */
export const INITIAL_OPTIONS: Partial<Record<OptionKey, string>> = { RetryTimes: '2' }
