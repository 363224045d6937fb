import { onTestFinished } from 'bun:test'
import { isFields } from '@tollgate/providers'
import { type BatchApi, type BatchLine, OPENAI_API, type VendorBatch } from './batch-apis.ts'

/** The path of result files that are named by their URL. */
const RESULTS = '/outputs/'

/** The usage reported for each answered line of a fake batch. */
const LINE_USAGE = { input: 100, output: 50 }

/**
 * OpenAI's Files and Batch API and background Responses, and Anthropic's Message Batches, according to their public documentation:
 * submitted work waits until the test decides its outcome. Only the key that submitted it can see it. Other vendors' files and
 * batches are described by their `api`.
 */
export const fakeBatches = (api: BatchApi = OPENAI_API) => {
  const files = new Map<string, { key: string; text: string; filename: string; purpose: string }>()
  const batches = new Map<string, VendorBatch & { key: string }>()
  const responses = new Map<string, Record<string, unknown> & { key: string }>()
  const asked: { method: string; path: string; key: string }[] = []
  let count = 0
  /** Answers the next creation with this instead. */
  let broken: (() => Response | Promise<Response>) | undefined
  /** Answers the content of files. */
  let served: ((text: string) => Response) | undefined
  const contentOf = (text: string) => served?.(text) ?? new Response(text)
  /** Answers everything. */
  let dead: (() => Response | Promise<Response>) | undefined

  const fileOf = (id: string) => {
    const { text = '', filename, purpose } = files.get(id) ?? {}
    return {
      ...{ id, object: 'file', bytes: text.length, created_at: 1, filename, purpose, status: 'processed' },
      ...api.file,
    }
  }
  const idFor = (kind: 'file' | 'batch') =>
    api.idOf?.(kind, ++count) ?? (kind === 'file' ? `file-up${++count}` : `batch_up${++count}`)
  const messageBatchOf = ({ id, status, lines }: VendorBatch) => ({
    ...{ id, type: 'message_batch', processing_status: status, created_at: '2026-11-16T00:00:00Z' },
    ...{ expires_at: '2026-11-17T00:00:00Z', ended_at: null, cancel_initiated_at: null, archived_at: null },
    request_counts: { processing: lines.length, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
    results_url: status === 'ended' ? `${url()}/v1/messages/batches/${id}/results` : null,
  })

  const openAi = async (request: Request, path: string, key: string): Promise<Response> => {
    const { method } = request
    const asOpenAi = path.replace(api.batches ?? '/batches', '/batches')
    const [, noun = '', id = '', part = ''] = (api.isPaged ? asOpenAi.replace(/:cancel$/, '/cancel') : asOpenAi).split(
      '/',
    )
    if (noun === 'files' && method === 'POST') {
      if (path !== (api.uploads ?? '/files')) return refused(404, 'Not found')
      const form = await request.formData()
      const file = form.get('file')
      if (!(file instanceof File)) return refused(400, "Missing required parameter: 'file'.")
      const purpose = String(form.get('purpose') ?? '')
      if (purpose !== api.purpose) return refused(400, `Invalid purpose ${purpose}`)
      const made = idFor('file')
      files.set(made, { key, text: await file.text(), filename: file.name, purpose })
      return Response.json(api.wrapFile?.(fileOf(made)) ?? fileOf(made))
    }
    if (noun === 'files') {
      if (api.isByUrl) return refused(404, '404 page not found')
      if (files.get(id)?.key !== key) return refused(404, `No such File object: ${id}`)
      if (method === 'DELETE') {
        files.delete(id)
        return Response.json({ id, object: 'file', deleted: true })
      }
      if (part !== 'content') return Response.json(fileOf(id))
      const text = files.get(id)?.text ?? ''
      return contentOf(text)
    }
    if (noun === 'responses') return background(request, id, part, key)
    if (method === 'POST' && id === '') {
      const json: unknown = await request.json()
      const body = isFields(json) ? json : {}
      const foreign = Object.keys(body).find((name) => !api.created.includes(name))
      if (foreign !== undefined) return refused(400, `Unknown parameter: '${foreign}'.`)
      const input = api.inputOf?.(body) ?? String(body.input_file_id)
      const text = files.get(input)
      if (text?.key !== key) return refused(400, `Invalid input_file_id ${input}`)
      const lines = text.text
        .trim()
        .split('\n')
        .map((line): BatchLine => JSON.parse(line))
      const refusal = api.refusal(body, lines)
      if (refusal !== undefined) return refused(400, refusal)
      const { endpoint, metadata } = body
      const made = { id: idFor('batch'), key, status: 'validating', input, output: null, errors: null, lines }
      batches.set(made.id, { ...made, endpoint, metadata })
      const shown = api.show({ ...made, endpoint, metadata })
      return (await broken?.()) ?? Response.json(api.wrap?.(shown) ?? shown)
    }
    if (id === '') {
      const own = [...batches.values()].filter((one) => one.key === key)
      const data = own.map(api.show)
      return Response.json(api.list?.(data) ?? { object: 'list', data, has_more: false })
    }
    const batch = batches.get(id)
    if (batch?.key !== key) return refused(404, `No batch found with id '${id}'.`)
    if (api.isPaged && part === 'results') return pageOf(batch, new URL(request.url).searchParams)
    if (part === 'cancel') batch.status = 'cancelling'
    return Response.json(api.show(batch))
  }

  /** Two results of xAI at a time. */
  const pageOf = ({ output, errors }: VendorBatch, query: URLSearchParams) => {
    const texts = [output, errors].map((file) => files.get(file ?? '')?.text ?? '')
    const lines = texts.flatMap((text) => (text === '' ? [] : text.split('\n'))).map(xaiResult)
    const from = Number(query.get('pagination_token') ?? 0)
    const pagination_token = from + 2 < lines.length ? String(from + 2) : null
    return contentOf(JSON.stringify({ results: lines.slice(from, from + 2), pagination_token }))
  }

  const background = async (request: Request, id: string, part: string, key: string) => {
    if (request.method === 'POST' && id === '') {
      const body: unknown = await request.json()
      if (!isFields(body) || body.background !== true) return refused(400, 'Not in the background')
      const made = {
        id: `resp_up${++count}`,
        object: 'response',
        status: 'queued',
        model: body.model,
        background: true,
      }
      responses.set(made.id, { ...made, key, output: [], usage: null })
      return Response.json({ ...made, output: [], usage: null })
    }
    const kept = responses.get(id)
    if (kept?.key !== key) return refused(404, `Response with id '${id}' not found.`)
    if (part === 'input_items') return Response.json({ object: 'list', data: [], has_more: false })
    if (request.method === 'DELETE') {
      responses.delete(id)
      return Response.json({ id, object: 'response', deleted: true })
    }
    if (part === 'cancel') Object.assign(kept, { status: 'cancelled' })
    const { key: _, ...shown } = kept
    return Response.json(shown)
  }

  const anthropic = async (request: Request, path: string, key: string): Promise<Response> => {
    const [, , id = '', part = ''] = path.split('/')
    if (request.method === 'POST' && id === '') {
      const body: unknown = await request.json()
      const requests: { custom_id: string; params: BatchLine['body'] }[] =
        isFields(body) && Array.isArray(body.requests) ? body.requests : []
      const lines = requests.map(({ custom_id, params }) => ({ custom_id, body: params }))
      const made = {
        id: `msgbatch_up${++count}`,
        key,
        status: 'in_progress',
        input: '',
        output: null,
        errors: null,
        lines,
      }
      batches.set(made.id, made)
      return (await broken?.()) ?? Response.json(messageBatchOf(made))
    }
    const batch = batches.get(id)
    if (batch?.key !== key) return refused(404, 'Not found')
    if (request.method === 'DELETE') {
      batches.delete(id)
      return Response.json({ id, type: 'message_batch_deleted' })
    }
    if (part === 'results') return contentOf(files.get(batch.output ?? '')?.text ?? '')
    if (part === 'cancel') batch.status = 'canceling'
    return Response.json(messageBatchOf(batch))
  }

  const nameOf = (file: string) => (api.isByUrl ? `${url()}${RESULTS}${file}` : file)

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const { method, headers } = request
      const bearer = (headers.get('authorization') ?? '').slice(7)
      const key = headers.get('x-api-key') ?? api.keyOf?.(headers) ?? bearer
      asked.push({ method, path: pathname, key })
      const outage = await dead?.()
      if (outage !== undefined) return outage
      if (api.isByUrl && pathname.startsWith(RESULTS))
        return headers.has('authorization')
          ? refused(403, 'A key does not belong here')
          : contentOf(files.get(pathname.slice(RESULTS.length))?.text ?? '')
      if (pathname.startsWith('/v1/messages/')) return anthropic(request, pathname.slice(12), key)
      const isKnown = Object.entries(api.query ?? {}).every(([name, value]) => searchParams.get(name) === value)
      if (!pathname.startsWith(api.root) || !isKnown) return refused(404, 'Resource not found')
      return openAi(request, pathname.slice(api.root.length), key)
    },
  })
  onTestFinished(() => server.stop(true))
  const url = () => `http://127.0.0.1:${server.port}`

  return {
    url: url(),
    asked,
    files,
    batches,
    responses,
    /** The next creations are accepted, but answered with this. */
    breaks(answer: typeof broken) {
      broken = answer
    },
    /** From now on the content of files and results is answered with this. */
    serves(answer: typeof served) {
      served = answer
    },
    /** From now on everything is answered with this; undefined revives the vendor. */
    dies(answer: typeof dead) {
      dead = answer
    },
    /** Ends the last submitted batch, with this many of its first lines answered. */
    end(status: string, answered = Number.POSITIVE_INFINITY, reason?: string) {
      const batch = [...batches.values()].at(-1)
      if (batch === undefined) throw new Error('No batch was handed over')
      const isAnthropic = batch.id.startsWith('msgbatch')
      const done = batch.lines
        .slice(0, answered)
        .map((line) => JSON.stringify(isAnthropic ? message(line) : chat(line)))
      const made = idFor('file')
      const rest = batch.lines
        .slice(answered)
        .map(({ custom_id }) => JSON.stringify(unanswered(custom_id, isAnthropic)))
      const text = [...done, ...(isAnthropic ? rest : [])].join('\n')
      files.set(made, { key: batch.key, text, filename: 'output.jsonl', purpose: 'batch_output' })
      batch.status = isAnthropic ? 'ended' : status
      batch.answered = done.length
      batch.output = isAnthropic || done.length > 0 ? nameOf(made) : null
      batch.reason = reason
      if (isAnthropic || rest.length === 0) return
      const errors = idFor('file')
      batch.errors = nameOf(errors)
      files.set(errors, {
        key: batch.key,
        text: rest.join('\n'),
        filename: 'errors.jsonl',
        purpose: 'batch_output',
      })
    },
    /** Ends the last requested response. */
    endResponse(status: string, usage: object | null) {
      const response = [...responses.values()].at(-1)
      if (response === undefined) throw new Error('No response was asked for')
      Object.assign(response, { status, usage })
    },
  }
}

const chat = ({ custom_id, body: { model } }: BatchLine) => {
  const { input: prompt_tokens, output: completion_tokens } = LINE_USAGE
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
  const message = { role: 'assistant', content: 'High tide.' }
  const body = {
    id: 'c',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  }
  return { id: `req_${custom_id}`, custom_id, response: { status_code: 200, request_id: 'r', body }, error: null }
}

const message = ({ custom_id, body: { model } }: BatchLine) => ({
  custom_id,
  result: {
    type: 'succeeded',
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'High tide.' }],
      usage: { input_tokens: LINE_USAGE.input, output_tokens: LINE_USAGE.output },
    },
  },
})

const unanswered = (custom_id: string, isAnthropic: boolean) =>
  isAnthropic
    ? { custom_id, result: { type: 'canceled' } }
    : { custom_id, response: null, error: { code: 'batch_expired', message: 'It was not answered' } }

/** A line of OpenAI's as xAI writes it. */
function xaiResult(line: string) {
  const { custom_id: batch_request_id, response, error } = JSON.parse(line)
  const batch_result = response === null ? { error } : { response: { chat_get_completion: response.body } }
  return { batch_request_id, batch_result }
}

const refused = (status: number, message: string) =>
  Response.json({ error: { message, type: 'invalid_request_error', param: null, code: null } }, { status })
