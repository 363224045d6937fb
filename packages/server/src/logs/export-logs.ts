import type { Log } from '@tollgate/contract'
import { EXPORT_FORMATS, type ExportFormat } from './export-format.ts'

/**
 * The chunks of a file, each produced when the previous one was read: a slow client costs one chunk of memory, and one that
 * disconnects ends the query. `ended` receives the position.
 */
export async function* exportLogs(
  entries: AsyncIterable<Log[]>,
  format: ExportFormat,
  ended: (end: { rows: number; finished: boolean }) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const { head, line } = EXPORT_FORMATS[format]
  const encoder = new TextEncoder()
  let rows = 0
  let finished = false
  try {
    if (head !== '') yield encoder.encode(head)
    for await (const some of entries) {
      rows += some.length
      if (some.length > 0) yield encoder.encode(some.map(line).join(''))
    }
    finished = true
  } finally {
    ended({ rows, finished })
  }
}
