import type { BatchForm } from '../batch-adapter.ts'
import { isFields, textOf } from '../json.ts'
import { secondsOf } from './batch-times.ts'

/** Together's batches: OpenAI's names with other spellings, and times as text. */
export const togetherBatches: BatchForm = {
  endpoints: ['/v1/chat/completions'],
  path: (path) => (path === '/files' ? '/files/upload' : path),
  upload: (file_name) => ({ purpose: 'batch-api', file_name, file_type: 'jsonl' }),
  line: ({ custom_id, body }) => ({ custom_id, body }),
  refused: ({ output_expires_after }) => (output_expires_after ? 'output_expires_after' : undefined),
  create: ({ input_file_id, endpoint, completion_window }) => ({ input_file_id, endpoint, completion_window }),
  read(answer) {
    // Only the answer to a creation is wrapped.
    const job = isFields(answer.job) ? answer.job : answer
    const { id, input_file_id, output_file_id, error_file_id, endpoint, model_id } = job
    const status = statusOf(job.status)
    const error = textOf(job.error) ?? ''
    return {
      ...{ id, object: 'batch', endpoint, model: model_id, status, input_file_id },
      ...{ output_file_id: output_file_id ?? null, error_file_id: error_file_id ?? null },
      ...{ errors: error === '' ? null : { object: 'list', data: [{ message: error }] } },
      ...{ created_at: secondsOf(job.created_at), expires_at: secondsOf(job.job_deadline) },
      ...(typeof job.completed_at === 'string' ? { [`${status}_at`]: secondsOf(job.completed_at) } : {}),
    }
  },
}

const statusOf = (status: unknown) => (textOf(status) ?? '').toLowerCase().replace('canceling', 'cancelling')
