import type { OptionKey } from '@tollgate/contract'

/** The help text below a field; not every option has one. */
export const helpOf = (help: Readonly<Record<string, string>>, key: OptionKey): string | undefined => help[key]
