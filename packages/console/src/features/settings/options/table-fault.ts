import { aliasTable, fallbackTable, rateLimitTable } from '@tollgate/contract'
import { withLabels } from '../../../lib/format/with-labels.ts'
import type { Words } from '../../../text/words.ts'
import type { zh } from '../../../text/zh/options.ts'

const TABLES = { GroupRateLimits: rateLimitTable, ModelAliases: aliasTable, ModelFallbacks: fallbackTable }

type TableKey = keyof typeof TABLES

export const isTable = (key: string): key is TableKey => Object.hasOwn(TABLES, key)

/** What is wrong with a table, in the sentence with which the server would refuse it. */
export function tableFault(key: TableKey, value: string, text: Words<typeof zh>) {
  const found = TABLES[key].safeParse(value).error?.issues[0]?.message
  const reason = Object.entries(text.faults).find(([code]) => code === found)?.[1]
  return reason && withLabels(text.invalid(key, reason), text)
}
