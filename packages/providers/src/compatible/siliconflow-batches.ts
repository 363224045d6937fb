import type { BatchForm } from '../batch-adapter.ts'
import { fieldsOf } from '../json.ts'

/** Up to a week: the longer windows of SiliconFlow end after the gateway has given a batch up. */
const WINDOW = /^(2[4-9]|[3-9]\d|1[0-5]\d|16[0-8])h$/

/** SiliconFlow's batches: one model for all lines, uploads in an envelope, and a status of its own for batches that wait. */
export const siliconflowBatches: BatchForm = {
  endpoints: ['/v1/chat/completions'],
  oneModel: true,
  fileId: (answer) => fieldsOf(answer.data).id,
  refused({ completion_window, output_expires_after }) {
    if (output_expires_after) return 'output_expires_after'
    return WINDOW.test(completion_window) ? undefined : 'completion_window'
  },
  read: (batch) => ({
    ...batch,
    status: batch.status === 'in_queue' ? 'validating' : batch.status,
    errors: errorsIn(batch.errors),
    request_counts: batch.request_counts ?? {},
  }),
}

/** A list of texts in its documents. */
function errorsIn(errors: unknown) {
  if (!Array.isArray(errors)) return errors ?? null
  const data = errors.map((error) => (typeof error === 'string' ? { message: error } : error))
  return data.length === 0 ? null : { object: 'list', data }
}
