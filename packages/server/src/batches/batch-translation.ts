import { type BatchAdapter, type Fields, isFields, type Provider } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Plan } from './plan.ts'
import type { VendorAnswer, VendorRequest } from './vendor-request.ts'

/* Translates between OpenAI's files and batches and those of other vendors; answers are stored in OpenAI's format. */

/** Whether the channel's vendor takes a file with these lines. `models` are those of the lines, with aliases resolved. */
export const takesFile =
  (endpoint: string, models: readonly string[]) =>
  ({ provider, mapping }: Route) => {
    const { dialect, form = {} } = provider?.batches ?? {}
    if (dialect !== 'openai' || form.endpoints?.includes(endpoint) === false) return false
    return form.oneModel !== true || new Set(models.map((model) => mapping.get(model) ?? model)).size === 1
  }

/** Whether the answer needs translating. */
const isBatch = (path: string) => path.startsWith('/batches')

/** A batch, or a list of them, in OpenAI's format. */
export const batchAnswer = (
  provider: Provider | undefined,
  { path }: VendorRequest,
  answer: VendorAnswer,
): VendorAnswer => {
  const read = provider?.batches?.form?.read
  if (read === undefined || !isBatch(path)) return answer
  const body = path.includes('?') ? { object: 'list', data: listed(answer.body).map(read) } : read(Object(answer.body))
  return { text: JSON.stringify(body), body }
}

/** Together's list is bare, and xAI's has another name. */
export const listed = (body: unknown): Fields[] => {
  const entries: unknown = isFields(body) ? (body.data ?? body.batches) : body
  return Array.isArray(entries) ? entries.filter(isFields) : []
}

/** The factor of the usual price. */
export const batchFactor = (batches: BatchAdapter | undefined, { model }: Pick<Plan['models'][number], 'model'>) => {
  if (batches === undefined) return 1
  const { times, models } = batches.price
  return models === undefined || models.includes(model) ? times : 1
}
