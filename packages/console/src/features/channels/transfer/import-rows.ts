import type { ImportedRow } from '@tollgate/contract'

/** Whether a file has secrets, so that its passphrase is asked for. The members before the channels are few. */
export const isSealed = (content: string) => /"sealing"\s*:\s*\{/.test(content.slice(0, 2000))

const SHOWN_MAX = 100

/** Those that somebody has to know of: what is refused, what changes, what is new. What stays as it is needs no line. */
export const shownRows = (rows: readonly ImportedRow[]) => {
  const of = (action: ImportedRow['action']) => rows.filter((row) => row.action === action)
  const refused = of('refuse')
  const carried = [...of('change'), ...of('create')]
  return {
    refused: refused.slice(0, SHOWN_MAX),
    carried: carried.slice(0, SHOWN_MAX),
    more: Math.max(0, refused.length - SHOWN_MAX) + Math.max(0, carried.length - SHOWN_MAX),
  }
}
