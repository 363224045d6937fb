import type { BatchForm } from '../batch-adapter.ts'
import { textOf } from '../json.ts'
import { secondsOf } from './batch-times.ts'

const WINDOWS = ['24h', '48h']

/** Novita's batches: one model for all lines, a fixed time to complete, times as text, and empty text where OpenAI has null. */
export const novitaBatches: BatchForm = {
  endpoints: ['/v1/chat/completions', '/v1/completions'],
  oneModel: true,
  line: ({ custom_id, body }) => ({ custom_id, body }),
  refused({ completion_window, output_expires_after }) {
    if (output_expires_after) return 'output_expires_after'
    return WINDOWS.includes(completion_window) ? undefined : 'completion_window'
  },
  create: ({ input_file_id, endpoint }) => ({ input_file_id, endpoint }),
  read(batch) {
    const { id, endpoint, input_file_id, request_counts } = batch
    const status = statusOf(batch.status)
    const error = textOf(batch.errors) ?? ''
    return {
      ...{ id, object: 'batch', endpoint, status, input_file_id },
      ...{ output_file_id: batch.output_file_id || null, error_file_id: batch.error_file_id || null },
      ...{ errors: error === '' ? null : { object: 'list', data: [{ message: error }] } },
      ...Object.fromEntries(TIMES.map((name) => [name, secondsOf(batch[name])])),
      ...(request_counts ? { request_counts } : {}),
    }
  },
}

const TIMES = [
  ...['created_at', 'in_progress_at', 'expires_at', 'finalizing_at', 'completed_at', 'failed_at', 'expired_at'],
  ...['cancelling_at', 'cancelled_at'],
]

/** The documentation has capital letters, and its examples do not. */
const statusOf = (status: unknown) => {
  const word = (textOf(status) ?? '').toLowerCase()
  return word === 'progress' ? 'in_progress' : word
}
