import type { ImportedRow } from '@tollgate/contract'

/** Whether a file has secrets, so that its passphrase is needed. There are few members before the channels. */
export const isSealed = (content: string) => /"sealing"\s*:\s*\{/.test(content.slice(0, 2000))

const SHOWN_MAX = 100

/** Rows worth showing: rejected, changed, new. Unchanged ones need no line. */
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
