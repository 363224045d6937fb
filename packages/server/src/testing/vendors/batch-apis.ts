import { isFields } from '@tollgate/providers'

/** A batch at a fake vendor; its status is in OpenAI's words. */
export interface VendorBatch {
  id: string
  status: string
  input: string
  output: string | null
  errors: string | null
  lines: BatchLine[]
  /** How many of them were answered. */
  answered?: number
  [member: string]: unknown
}

export interface BatchLine {
  custom_id: string
  body: { model: string }
  [member: string]: unknown
}

/** How a vendor's files and batches look on the api, according to its public documentation. */
export interface BatchApi {
  /** In front of `/files` and `/batches`. */
  root: string
  /** The paths of the upload and of batches, where they are not OpenAI's. */
  uploads?: string
  batches?: string
  /** The key in a request. */
  keyOf?(headers: Headers): string
  /** A query that every request must have. */
  query?: Record<string, string>
  purpose: string
  /** What a file's answer has beside OpenAI's members. */
  file?: object
  /** Around the answer to an upload. */
  wrapFile?(file: object): object
  /** Result files are named by their URL, which needs no key. */
  isByUrl?: true
  /** Results are read in pages of the batch. */
  isPaged?: true
  /** A batch that exceeded its time has failed. */
  isNeverExpired?: true
  /** Around a list. */
  list?(shown: object[]): object
  /** The members of a creation. */
  created: readonly string[]
  /** The refusal of a creation, or undefined. */
  refusal(body: Record<string, unknown>, lines: readonly BatchLine[]): string | undefined
  inputOf?(body: Record<string, unknown>): string
  show(batch: VendorBatch): object
  /** Around the answer to a creation. */
  wrap?(shown: object): object
  /** Ids as the vendor forms them. */
  idOf?(kind: 'file' | 'batch', count: number): string
}

const uuid = (_: unknown, count: number) => `0b9e2f5c-7a41-4c0d-9c55-${String(count).padStart(12, '0')}`

/** Every line has the path of the batch, and `method`; with `oneModel`, also one model. */
const linesOf = (path: (endpoint: string) => string, oneModel = false) => ({
  refusal({ endpoint }: Record<string, unknown>, lines: readonly BatchLine[]) {
    const expected = path(String(endpoint))
    if (lines.some(({ method, url }) => method !== 'POST' || url !== expected)) return 'url_mismatch'
    return oneModel && hasManyModels(lines) ? 'model_mismatch' : undefined
  },
})

/** The lines have nothing but an id and a body. */
const bareLines = (lines: readonly BatchLine[]) =>
  lines.some((line) => Object.keys(line).sort().join() !== 'body,custom_id') ? 'Invalid line' : undefined

const hasManyModels = (lines: readonly BatchLine[]) => new Set(lines.map(({ body }) => body.model)).size > 1

const showOpenAi = ({ id, status, input, output, errors, endpoint, metadata, reason }: VendorBatch) => ({
  ...{ id, object: 'batch', endpoint, input_file_id: input, completion_window: '24h', status },
  ...{ output_file_id: output, error_file_id: errors, created_at: 1, metadata: metadata ?? null },
  errors: reason === undefined ? null : { object: 'list', data: [{ code: 'invalid_request', message: reason }] },
})

const same = (endpoint: string) => endpoint

export const OPENAI_API: BatchApi = {
  ...{ root: '/v1', purpose: 'batch', show: showOpenAi },
  created: ['input_file_id', 'endpoint', 'completion_window', 'metadata', 'output_expires_after'],
  ...linesOf(same),
}

const MISTRAL_STATUSES: Record<string, string> = {
  ...{ validating: 'QUEUED', in_progress: 'RUNNING', completed: 'SUCCESS', failed: 'FAILED' },
  ...{ expired: 'TIMEOUT_EXCEEDED', cancelling: 'CANCELLATION_REQUESTED', cancelled: 'CANCELLED' },
}

const MISTRAL_API: BatchApi = {
  ...{ root: '/v1', batches: '/batch/jobs', purpose: 'batch', idOf: uuid },
  created: ['input_files', 'endpoint', 'model', 'timeout_hours', 'metadata'],
  inputOf: ({ input_files }) => (Array.isArray(input_files) ? String(input_files[0]) : ''),
  refusal: ({ model, timeout_hours }, lines) =>
    model === lines[0]?.body.model && !hasManyModels(lines) && timeout_hours === 24
      ? lines.some(({ body }) => 'user' in body)
        ? 'Extra inputs are not permitted'
        : bareLines(lines)
      : 'Invalid model',
  show: ({ id, status, input, output, errors, endpoint, metadata, reason, lines }) => ({
    ...{ id, object: 'batch', input_files: [input], metadata: metadata ?? {}, endpoint, model: lines[0]?.body.model },
    ...{ agent_id: null, output_file: output, error_file: errors, status: MISTRAL_STATUSES[status] },
    ...{ errors: reason === undefined ? [] : [{ message: reason, count: 1 }], created_at: 1, started_at: null },
    ...{ completed_at: output === null ? null : 2, total_requests: lines.length, completed_requests: 0 },
    ...{ succeeded_requests: 0, failed_requests: 0 },
  }),
}

const TOGETHER_API: BatchApi = {
  ...{ root: '/v1', uploads: '/files/upload', purpose: 'batch-api', list: (shown) => shown },
  file: { Processed: true, FileType: 'jsonl', LineCount: 0 },
  created: ['input_file_id', 'endpoint', 'completion_window'],
  refusal: (_, lines) => bareLines(lines),
  idOf: (kind, count) => (kind === 'file' ? `file-${uuid(kind, count)}` : uuid(kind, count)),
  show: ({ id, status, input, output, errors, endpoint, reason, lines }) => ({
    ...{ id, user_id: 'user_1', input_file_id: input, file_size_bytes: 1, endpoint, progress: 0 },
    status: status === 'cancelling' ? 'CANCELING' : status.toUpperCase(),
    ...{ job_deadline: '2026-11-18T00:00:00Z', created_at: '2026-11-17T00:00:00Z', model_id: lines[0]?.body.model },
    ...(output !== null && { output_file_id: output, completed_at: '2026-11-17T01:00:00Z' }),
    ...(errors !== null && { error_file_id: errors }),
    ...(reason !== undefined && { error: reason }),
  }),
  wrap: (job) => ({ job }),
}

/** Its documents name no way to download a file by its id: "the URL of the result file is valid for a month". */
const SILICONFLOW_API: BatchApi = {
  ...{ root: '/v1', purpose: 'batch', isByUrl: true },
  created: ['input_file_id', 'endpoint', 'completion_window', 'metadata', 'replace'],
  wrapFile: (data) => ({ code: 20000, message: 'Ok', status: true, data }),
  ...linesOf(same, true),
  show: ({ reason, ...batch }) => ({
    ...showOpenAi(batch),
    status: batch.status === 'validating' ? 'in_queue' : batch.status,
    ...{ errors: reason === undefined ? [] : [reason], request_counts: null },
  }),
}

const NOVITA_TIME = '2026-11-17T16:31:52.949816948+08:00'

const NOVITA_API: BatchApi = {
  ...{ root: '/openai/v1', purpose: 'batch', created: ['input_file_id', 'endpoint'] },
  file: { metadata: { total_requests: 1 } },
  refusal: (_, lines) => (hasManyModels(lines) ? 'model_mismatch' : bareLines(lines)),
  idOf: (kind, count) => `${kind}_d2cor0es1cas73c${count}`,
  show: ({ id, status, input, output, errors, endpoint, reason }) => ({
    ...{ id, object: 'batch', endpoint, input_file_id: input, output_file_id: output ?? '' },
    ...{ error_file_id: errors ?? '', completion_window: '48h', in_progress_at: null, expires_at: null },
    ...{ finalizing_at: null, completed_at: output === null ? null : NOVITA_TIME, failed_at: null, expired_at: null },
    ...{ cancelling_at: null, cancelled_at: null, status: status === 'in_progress' ? 'PROGRESS' : status },
    ...{ errors: reason ?? '', version: 0, created_at: NOVITA_TIME, updated_at: null, remark: '' },
    ...{ total: 0, completed: 0, failed: 0, metadata: null },
    request_counts: { total: 0, completed: 0, failed: 0 },
  }),
}

const XAI_TIME = '2026-11-17T01:00:00Z'

/** Its documents name no purpose of a file, and no state of a batch. */
const XAI_API: BatchApi = {
  ...{ root: '/v1', purpose: '', created: ['name', 'input_file_id'], isPaged: true, isNeverExpired: true },
  refusal: ({ name }, lines) => (name ? linesOf(() => '/v1/chat/completions').refusal({}, lines) : 'name is required'),
  idOf: (kind, count) => `${kind}_${uuid(kind, count)}`,
  list: (batches) => ({ batches, pagination_token: null }),
  show({ id, status, input, lines, answered = 0, reason }) {
    const isOver = !['validating', 'in_progress', 'cancelling'].includes(status)
    const total = status === 'validating' || reason !== undefined ? 0 : lines.length
    const isStopped = status.startsWith('cancel') || reason !== undefined
    return {
      ...{ batch_id: id, name: input, create_time: XAI_TIME, expire_time: XAI_TIME, create_api_key_id: 'k' },
      ...{ cancel_time: isStopped ? XAI_TIME : null, cancel_by_xai_message: reason ?? null },
      state: {
        ...{ num_requests: total, num_pending: isOver ? 0 : total, num_success: answered, num_error: 0 },
        num_cancelled: isOver && total > 0 ? total - answered : 0,
      },
    }
  },
}

/** `query` is that of a dated version. */
export const azureApi = (root: string, query: Record<string, string>): BatchApi => ({
  ...{ root, query, purpose: 'batch', created: OPENAI_API.created, show: showOpenAi },
  keyOf: (headers) => headers.get('api-key') ?? '',
  file: { status: 'pending' },
  refusal: ({ endpoint }, lines) =>
    endpoint === '/chat/completions' ? linesOf(same, true).refusal({ endpoint }, lines) : 'invalid endpoint',
})

const ZHIPU_API: BatchApi = {
  ...{ root: '/api/paas/v4', purpose: 'batch', show: showOpenAi },
  created: ['input_file_id', 'endpoint', 'auto_delete_input_file', 'metadata'],
  // The token is signed anew from time to time; its payload names the key.
  keyOf(headers) {
    const [, payload = ''] = (headers.get('authorization') ?? '').split('.')
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}')
    return isFields(claims) ? String(claims.api_key) : ''
  },
  refusal: ({ endpoint, auto_delete_input_file }, lines) =>
    endpoint === '/v4/chat/completions' && auto_delete_input_file === false
      ? linesOf(same).refusal({ endpoint }, lines)
      : 'invalid endpoint',
}

const oneModel = (root: string): BatchApi => ({ ...OPENAI_API, root, ...linesOf(same, true) })

/** A channel type that offers batches in OpenAI's dialect. */
export interface BatchVendor {
  name: string
  type: number
  model: string
  key: string
  /** Behind the fake's address. */
  base: string
  other?: string
  /** Factor of the usual price. */
  times: number
  /** Whether a file may have lines for several models. */
  isMixed: boolean
  api: BatchApi
}

const OWN = { key: 'k-vendor', base: '', isMixed: true, times: 0.5 }
const ONE = { ...OWN, isMixed: false }

/** Every channel type that offers them; a test compares the list with the registry. */
export const BATCH_VENDORS: readonly BatchVendor[] = [
  { ...OWN, name: 'OpenAI', type: 1, model: 'gpt-4o-mini', api: OPENAI_API },
  {
    ...{ ...ONE, name: 'Azure, dated', type: 3, model: 'gpt-4o-mini', other: '2024-06-01' },
    api: azureApi('/openai', { 'api-version': '2024-10-21' }),
  },
  {
    ...{ ...ONE, name: 'Azure, undated', type: 3, model: 'gpt-4o-mini', base: '/openai/v1' },
    api: azureApi('/openai/v1', {}),
  },
  { ...OWN, name: 'Zhipu', type: 16, model: 'glm-4-plus', key: 'id.secret', api: ZHIPU_API },
  { ...ONE, name: 'Moonshot', type: 25, model: 'kimi-k2.6', times: 0.6, api: oneModel('/v1') },
  { ...ONE, name: 'Mistral', type: 28, model: 'mistral-small-latest', api: MISTRAL_API },
  {
    ...OWN,
    name: 'Groq',
    type: 29,
    model: 'llama-3.1-8b-instant',
    base: '/openai',
    api: { ...OPENAI_API, root: '/openai/v1' },
  },
  {
    ...OWN,
    name: 'Together, discounted',
    type: 39,
    model: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    api: TOGETHER_API,
  },
  { ...OWN, name: 'Together', type: 39, model: 'moonshotai/Kimi-K2.5', times: 1, api: TOGETHER_API },
  {
    ...{ ...ONE, name: 'Novita', type: 41, model: 'deepseek/deepseek-v3-0324', base: '/openai/v1', times: 1 },
    api: NOVITA_API,
  },
  { ...ONE, name: 'SiliconFlow', type: 44, model: 'deepseek-ai/DeepSeek-V3', api: SILICONFLOW_API },
  { ...OWN, name: 'xAI', type: 45, model: 'grok-4', times: 0.8, api: XAI_API },
  { ...OWN, name: 'Bailian', type: 49, model: 'qwen-plus', api: { ...OPENAI_API, root: '/compatible-mode/v1' } },
  {
    ...{ ...ONE, name: 'DeepInfra', type: 58, model: 'deepseek-ai/DeepSeek-V3', base: '/v1/openai', times: 0.8 },
    api: oneModel('/v1/openai'),
  },
]
