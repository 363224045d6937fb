import type { BatchRow } from './batches-repository.ts'
import type { ListedFile } from './files-repository.ts'
import type { Page } from './listed-page.ts'
import type { HeldPlan } from './plan.ts'

/* Files and batches as their callers see them. The vendor's answer is stored with our ids in it. */

export const shownFile = ({ id, bytes, created_at, filename, purpose }: ListedFile) => ({
  ...{ id, object: 'file', bytes, created_at, filename, purpose, status: 'processed', status_details: null },
})

export const shownBatch = (row: BatchRow) => {
  const { id, input_file_id, output_file_id, error_file_id, body } = row
  const { endpoint, window, metadata }: HeldPlan = JSON.parse(row.plan)
  // The vendor has not answered yet.
  const answer: object =
    body === ''
      ? { object: 'batch', status: INITIAL_STATUS.get(row.status) ?? row.status, created_at: row.created_at }
      : JSON.parse(body)
  return {
    ...answer,
    ...(window !== undefined && { completion_window: window }),
    ...(metadata !== undefined && { metadata }),
    ...{ id, endpoint, input_file_id, output_file_id: output_file_id || null, error_file_id: error_file_id || null },
  }
}

const INITIAL_STATUS = new Map<string, string>([['creating', 'validating']])

export const shownMessageBatch = ({ id, body, settled_at, created_at }: BatchRow, baseUrl: string) => {
  const answer: object =
    body === ''
      ? {
          type: 'message_batch',
          processing_status: settled_at === null ? 'in_progress' : 'ended',
          created_at: new Date(created_at * 1000).toISOString(),
        }
      : JSON.parse(body)
  return { ...answer, id, results_url: settled_at === null ? null : `${baseUrl}/v1/messages/batches/${id}/results` }
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
