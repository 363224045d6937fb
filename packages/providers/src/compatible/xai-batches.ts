import type { BatchForm } from '../batch-adapter.ts'
import { type Fields, fieldsOf, isFields, listOf, textOf } from '../json.ts'
import { secondsOf } from './batch-times.ts'

const PAGE = 1000

/**
 * xAI's batches: OpenAI's files, a state that consists of counts, and results that are read page by page instead of from a file. The
 * gateway's names for the two files of OpenAI contain the batch.
 */
export const xaiBatches: BatchForm = {
  endpoints: ['/v1/chat/completions'],
  path: (path) => path.replace(/\/cancel$/, ':cancel'),
  upload: () => ({}),
  refused({ completion_window, output_expires_after }) {
    if (output_expires_after) return 'output_expires_after'
    return completion_window === '24h' ? undefined : 'completion_window'
  },
  // The name is how a batch is found whose creation was not answered.
  create: ({ input_file_id }) => ({ name: input_file_id, input_file_id }),
  read(batch) {
    const { batch_id, name, create_time, expire_time, cancel_time } = batch
    const counts = countsOf(batch)
    const status = statusOf(batch, counts)
    const isEnded = ENDED.has(status)
    const message = textOf(batch.cancel_by_xai_message) ?? ''
    const unanswered = counts.failed + counts.cancelled
    return {
      ...{ id: batch_id, object: 'batch', status, input_file_id: name },
      output_file_id: isEnded && counts.completed > 0 ? `${OUTPUT}${batch_id}` : null,
      error_file_id: isEnded && unanswered > 0 ? `${ERRORS}${batch_id}` : null,
      errors: message === '' ? null : { object: 'list', data: [{ message }] },
      ...{ created_at: secondsOf(create_time), expires_at: secondsOf(expire_time) },
      ...(textOf(cancel_time) && { cancelling_at: secondsOf(cancel_time) }),
      request_counts: { total: counts.total, completed: counts.completed, failed: unanswered },
    }
  },
  results: {
    path(file, token) {
      const id = file.startsWith(OUTPUT) ? file.slice(OUTPUT.length) : file.slice(ERRORS.length)
      const from = token === undefined ? '' : `&pagination_token=${encodeURIComponent(token)}`
      return `/batches/${id}/results?limit=${PAGE}${from}`
    },
    read(page, file) {
      const lines = listOf(page.results).filter(isFields).map(lineOf)
      const next = textOf(page.pagination_token)
      return {
        lines: lines.filter(({ response }) => (response !== null) === file.startsWith(OUTPUT)),
        ...(next ? { next } : {}),
      }
    },
  },
}

const OUTPUT = 'output-'
const ERRORS = 'errors-'
const ENDED = new Set(['completed', 'failed', 'cancelled'])

interface Counts {
  total: number
  pending: number
  completed: number
  failed: number
  cancelled: number
}

function countsOf({ state }: Fields): Counts {
  const counts = fieldsOf(state)
  const count = (name: string) => (typeof counts[name] === 'number' ? counts[name] : 0)
  return {
    ...{ total: count('num_requests'), pending: count('num_pending'), completed: count('num_success') },
    ...{ failed: count('num_error'), cancelled: count('num_cancelled') },
  }
}

/** Nothing is counted before the file has been read, nor if it was refused. */
function statusOf({ cancel_time, cancel_by_xai_message }: Fields, { total, pending }: Counts) {
  if (textOf(cancel_by_xai_message)) return pending > 0 ? 'cancelling' : 'failed'
  if (textOf(cancel_time)) return pending > 0 ? 'cancelling' : 'cancelled'
  if (total === 0) return 'validating'
  return pending > 0 ? 'in_progress' : 'completed'
}

/** A result as OpenAI writes it. */
function lineOf(result: Fields) {
  const { batch_request_id, batch_result, error_message } = result
  const { response, error } = fieldsOf(batch_result)
  const body = fieldsOf(response).chat_get_completion
  const common = { id: batch_request_id, custom_id: batch_request_id }
  if (isFields(body)) return { ...common, response: { status_code: 200, request_id: body.id, body }, error: null }
  const { code, message } = fieldsOf(error)
  const words = textOf(message) || textOf(error) || textOf(error_message) || 'The request was not answered'
  return { ...common, response: null, error: { code: code ?? null, message: words } }
}
