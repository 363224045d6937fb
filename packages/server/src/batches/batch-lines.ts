import type { Text } from '@tollgate/contract'
import { z } from 'zod'
import { GatewayError } from '../common/errors.ts'
import { isTooDeep } from '../common/too-deep.ts'
import { hasTooManyStrings } from '../common/too-many-strings.ts'
import { yieldToEventLoop } from '../common/yield-to-event-loop.ts'
import { type Call, callOf } from '../relay/surfaces/call.ts'
import type { Operation } from '../relay/surfaces/operation.ts'
import { operationAt } from '../relay/surfaces/operations.ts'
import { callsOtherModels } from './other-models.ts'

/** One request of a batch. */
export interface BatchLine {
  id: string
  call: Call
}

export interface BatchLines {
  endpoint: string
  lines: BatchLine[]
}

const LINES_MAX = 50_000
/** Of a body with that many small requests, which repeat the same names. */
export const BATCH_STRINGS_MAX = 30 * LINES_MAX
/** Lines parsed before other work may run. */
const AT_ONCE = 200

const ENDPOINTS = ['/v1/chat/completions', '/v1/completions', '/v1/embeddings', '/v1/moderations', '/v1/responses']

const Line = z.object({
  custom_id: z.string().min(1).max(512),
  method: z.literal('POST'),
  url: z.string().max(200),
  body: z.record(z.string(), z.unknown()),
})

const Request = z.object({ custom_id: z.string().min(1).max(64), params: z.record(z.string(), z.unknown()) })

/** The requests of a file in OpenAI's format: one per line, all for the same endpoint. */
export const readBatchFile = async (text: string): Promise<BatchLines> => {
  const ids = new Set<string>()
  const lines: BatchLine[] = []
  let endpoint: string | undefined
  let number = 0
  for (const one of linesOf(text)) {
    if (++number % AT_ONCE === 0) await yieldToEventLoop()
    if (one.trim() === '') continue
    const line = number
    const refuse = (reason: Text): never => refuseLine(line, reason)
    const { custom_id, url, body } = parsedLine(one, refuse)
    endpoint ??= url
    if (!ENDPOINTS.includes(url)) refuse(unknownEndpoint(url))
    if (url !== endpoint) refuse(otherEndpoint(endpoint, url))
    const operation = operationAt(url)?.operation
    if (operation === undefined) return refuse(unknownEndpoint(url))
    lines.push(lineOf(custom_id, body, operation, ids, refuse))
    if (lines.length > LINES_MAX) refuse(TOO_MANY)
  }
  if (endpoint === undefined) return refuseLine(1, EMPTY)
  return { endpoint, lines }
}

/** One after the other: a list of all of them takes 25 times the memory of a file that is nothing but line breaks. */
function* linesOf(text: string) {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    yield text.slice(start, end)
    start = end + 1
  }
}

/** The requests of a batch in Anthropic's format. */
export const readBatchRequests = async (requests: readonly unknown[]): Promise<BatchLines> => {
  const endpoint = '/v1/messages'
  const operation = operationAt(endpoint)?.operation
  const ids = new Set<string>()
  const lines: BatchLine[] = []
  if (requests.length > LINES_MAX) refuseLine(LINES_MAX + 1, TOO_MANY)
  for (const [index, one] of requests.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await yieldToEventLoop()
    const refuse = (reason: Text): never => refuseLine(index + 1, reason)
    const { success, data, error } = Request.safeParse(one)
    if (!success || operation === undefined) return refuse(same(issueIn(error)))
    lines.push(lineOf(data.custom_id, data.params, operation, ids, refuse))
  }
  if (lines.length === 0) refuseLine(1, EMPTY)
  return { endpoint, lines }
}

const Content = z.object({
  request: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})

/** What the requests of a batch in Google's format ask for. */
export type ContentAction = 'generateContent' | 'embedContent'

/** The requests of a batch in Google's format, all for one model, by their position; and what the caller calls each. */
export const readContentRequests = async (requests: readonly unknown[], model: string, action: ContentAction) => {
  const endpoint = `/v1beta/models/${encodeURIComponent(model)}:${action}`
  const operation = operationAt(endpoint)?.operation
  if (operation === undefined) throw new GatewayError('relay.batch_endpoint', { endpoint })
  const lines: BatchLine[] = []
  const metadata: unknown[] = []
  if (requests.length > LINES_MAX) refuseLine(LINES_MAX + 1, TOO_MANY)
  for (const [index, one] of requests.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await yieldToEventLoop()
    const refuse = (reason: Text): never => refuseLine(index + 1, reason)
    const { success, data, error } = Content.safeParse(one)
    if (!success) return refuse(same(issueIn(error)))
    const { model: own = model, ...request } = data.request
    if (String(own).replace(/^models\//, '') !== model) refuse(otherModel(String(own)))
    lines.push(lineOf(String(index), { ...request, model }, operation, new Set(), refuse))
    metadata.push(data.metadata)
  }
  if (lines.length === 0) refuseLine(1, EMPTY)
  return { endpoint, lines, metadata, operation }
}

const otherModel = (model: string): Text => ({
  zh: `模型 ${model} 与路径中的不同`,
  en: `its model ${model} is not the one of the path`,
})

function parsedLine(text: string, refuse: (reason: Text) => never) {
  if (hasTooManyStrings(text)) refuse({ zh: '成员过多', en: 'it has too many members' })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse({ zh: '不是 JSON', en: 'it is not JSON' })
  }
  const { success, data, error } = Line.safeParse(value)
  return success ? data : refuse(same(issueIn(error)))
}

function lineOf(
  id: string,
  body: Record<string, unknown>,
  operation: Operation,
  ids: Set<string>,
  refuse: (reason: Text) => never,
): BatchLine {
  if (ids.has(id)) refuse({ zh: `custom_id ${id} 重复`, en: `the custom_id ${id} is there twice` })
  ids.add(id)
  if (isTooDeep(body)) refuse({ zh: '嵌套层级过多', en: 'it has too many levels' })
  let call: Call
  try {
    call = callOf(operation, body)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return refuse({ zh: error.in('zh'), en: error.in('en') })
  }
  if (callsOtherModels(call)) refuse(OTHER_MODELS)
  return { id, call }
}

const issueIn = (error: z.ZodError | undefined) => {
  const issue = error?.issues[0]
  return `${issue?.path.join('.') || 'line'}: ${issue?.message}`
}

const same = (text: string): Text => ({ zh: text, en: text })

const EMPTY: Text = { zh: '没有任何请求', en: 'there is no request at all' }
const TOO_MANY: Text = { zh: `最多 ${LINES_MAX} 个请求`, en: `there are more than ${LINES_MAX} requests` }
const OTHER_MODELS: Text = {
  zh: '批处理与后台响应中不能使用会调用其他模型的工具（绘图、顾问）',
  en: 'tools that call other models (image generation, advisors) cannot be used in a batch or in the background',
}

const unknownEndpoint = (url: string): Text => ({
  zh: `url ${url} 不能用于批处理，可用：${ENDPOINTS.join('、')}`,
  en: `the url ${url} cannot be batched: use one of ${ENDPOINTS.join(', ')}`,
})

const otherEndpoint = (first: string, url: string): Text => ({
  zh: `url 为 ${url}，而第一行为 ${first}：一个文件只能使用一个接口`,
  en: `its url is ${url} and that of the first line ${first}: a file is for one endpoint`,
})

function refuseLine(line: number, reason: Text): never {
  throw new GatewayError('relay.batch_line', { line, reason })
}
