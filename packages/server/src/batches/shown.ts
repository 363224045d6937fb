import type { BatchRow } from './batches-repository.ts'
import type { FileRow } from './files-repository.ts'
import type { Page } from './listed-page.ts'

/* Files and batches as their callers see them. The vendor's words of a batch are kept with our ids in them. */

export const shownFile = ({ id, bytes, created_at, filename, purpose }: FileRow) => ({
  ...{ id, object: 'file', bytes, created_at, filename, purpose, status: 'processed', status_details: null },
})

export const shownBatch = (row: BatchRow) => {
  const { id, input_file_id, output_file_id, error_file_id, body } = row
  // One that no vendor has answered for yet.
  const said: object =
    body === ''
      ? { object: 'batch', status: UNTOLD[row.status] ?? row.status, created_at: row.created_at }
      : JSON.parse(body)
  return {
    ...said,
    ...{ id, input_file_id, output_file_id: output_file_id || null, error_file_id: error_file_id || null },
  }
}

const UNTOLD: Record<string, string> = { creating: 'validating' }

export const shownMessageBatch = ({ id, body, settled_at, created_at }: BatchRow, place: string) => {
  const said: object =
    body === ''
      ? {
          type: 'message_batch',
          processing_status: settled_at === null ? 'in_progress' : 'ended',
          created_at: new Date(created_at * 1000).toISOString(),
        }
      : JSON.parse(body)
  return { ...said, id, results_url: settled_at === null ? null : `${place}/v1/messages/batches/${id}/results` }
}

export const shownPage = <Row>(
  { rows, hasMore }: Page<Row>,
  show: (row: Row) => { id: string },
  family: 'openai' | 'anthropic',
) => {
  const data = rows.map(show)
  const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: hasMore }
  return family === 'openai' ? { object: 'list', data, ...ends } : { data, ...ends }
}
