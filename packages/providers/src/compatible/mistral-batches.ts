import type { BatchForm } from '../batch-adapter.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../json.ts'

const STATUSES: ReadonlyMap<unknown, string> = new Map([
  ['QUEUED', 'validating'],
  ['RUNNING', 'in_progress'],
  ['SUCCESS', 'completed'],
  ['FAILED', 'failed'],
  ['TIMEOUT_EXCEEDED', 'expired'],
  ['CANCELLATION_REQUESTED', 'cancelling'],
  ['CANCELLED', 'cancelled'],
])

const HOURS = /^\d{1,3}h$/

/** Mistral's jobs: one model for all lines, which is named once more with the job. */
export const mistralBatches: BatchForm = {
  endpoints: ['/v1/chat/completions', '/v1/embeddings', '/v1/moderations'],
  oneModel: true,
  path: (path) => path.replace(/^\/batches/, '/batch/jobs').replace('?limit=', '?page_size='),
  line: ({ custom_id, body }) => ({ custom_id, body }),
  refused({ completion_window, output_expires_after }) {
    if (output_expires_after) return 'output_expires_after'
    return HOURS.test(completion_window) ? undefined : 'completion_window'
  },
  create: ({ input_file_id, endpoint, completion_window, metadata }, model) => ({
    ...{ input_files: [input_file_id], endpoint, model, timeout_hours: Number.parseInt(completion_window, 10) },
    ...(metadata ? { metadata } : {}),
  }),
  read(job) {
    const { id, endpoint, metadata, created_at, started_at, completed_at } = job
    const status = STATUSES.get(job.status) ?? job.status
    return {
      ...{ id, object: 'batch', endpoint, model: job.model, status },
      ...{ input_file_id: listOf(job.input_files)[0] ?? null, errors: errorsIn(job) },
      ...{ output_file_id: job.output_file ?? null, error_file_id: job.error_file ?? null },
      ...{ created_at, in_progress_at: started_at ?? null },
      ...(typeof completed_at === 'number' ? { [`${status}_at`]: completed_at } : {}),
      request_counts: {
        total: job.total_requests ?? 0,
        completed: job.succeeded_requests ?? 0,
        failed: job.failed_requests ?? 0,
      },
      metadata: metadata ?? null,
    }
  },
}

function errorsIn(job: Fields) {
  const data = listOf(job.errors).map((error) => ({ message: textOf(fieldsOf(error).message) ?? '' }))
  return data.length === 0 ? null : { object: 'list', data }
}
