import type { OptionKey } from '@tollgate/contract'

/** The line under a field; not every option needs one. */
export const helpOf = (help: Readonly<Record<string, string>>, key: OptionKey): string | undefined => help[key]
