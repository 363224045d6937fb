import {
  type ChatPart,
  type ChatRequest,
  type Dialect,
  droppedParameters,
  droppedTools,
  failureOf,
  refusal,
  refusalIn,
  refuseUnsupportedFields,
  storedFileAt,
  usageOf,
  VendorError,
  withCacheMarks,
} from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import { seconds } from '../../common/clock.ts'
import { GatewayError } from '../../common/errors.ts'
import { eventsOf } from '../../upstream/events.ts'
import { followTask } from '../../upstream/follow-task.ts'
import type { UpstreamCall } from '../../upstream/open.ts'
import { type Reply, readJson } from '../../upstream/reply.ts'
import { type Answer, UNFINISHED, upstreamModel } from '../answer.ts'
import type { Call } from '../surfaces/call.ts'
import { inlineContent } from './inline-content.ts'
import type { LaneNeeds } from './lane-needs.ts'
import type { CallerItems } from './recent-items.ts'
import { catchRefusal } from './refused-answers.ts'
import { type NextParts, partMeter, translateStream, withCallId } from './translated-stream.ts'

const encoder = new TextEncoder()

/** The lane for vendors with a dialect of their own: the chat is translated in both directions. */
export const convertLane = (call: Call, needs: LaneNeeds): UpstreamCall<Answer> => {
  const { items } = needs
  const understand = understanding(call, items)
  /** Parsed for the request, and needed again for the answer. */
  const parsed = new Map<string, ChatRequest>()
  const understood = async (model: string) => {
    const request = parsed.get(model) ?? (await understand(model))
    parsed.set(model, request)
    return request
  }
  const meant = async (route: Route): Promise<ChatRequest> => {
    const request = await understood(upstreamModel(call, route))
    if (route.systemPrompt === '') return request
    const content = [{ type: 'text' as const, text: route.systemPrompt }]
    return {
      ...request,
      messages: [{ role: 'system', content }, ...request.messages.filter(({ role }) => role !== 'system')],
    }
  }
  const metaOf = (request: ChatRequest) => ({
    id: needs.requestId,
    model: call.model,
    createdSec: seconds(needs.clock),
    nowSec: () => seconds(needs.clock),
    request,
    ...(items === undefined ? {} : { remember: items.remember }),
  })

  const answerParts = async (reply: Reply, route: Route, signal: AbortSignal) => {
    const adapter = adapterOf(route)
    if (adapter.task !== undefined && route.provider !== undefined) {
      const task = { follower: adapter.task, route, provider: route.provider, stream: call.stream }
      const outcome = await followTask(needs, task, reply, signal)
      return 'body' in outcome ? decoded(adapter, outcome.body) : streamedParts(outcome.stream, adapter, outcome.cancel)
    }
    // An error inside a 200 answer is plain JSON, even when a stream was requested.
    const isJson = reply.headers.get('content-type')?.toLowerCase().startsWith('application/json') === true
    const streamed = !isJson && (adapter.always === undefined ? call.stream : adapter.always === 'streamed')
    return streamed ? streamedParts(reply, adapter) : decoded(adapter, await readJson(reply))
  }

  return {
    async request(route, access) {
      const adapter = adapterOf(route)
      const understoodRequest = await meant(route)
      if (call.operation.family !== 'google') refuseStoredFiles(understoodRequest)
      if (route.provider !== undefined) refuseUnsupportedFields({ provider: route.provider, access }, understoodRequest)
      const caching = access.config.prompt_caching ?? ''
      // Clients of Anthropic's own dialect set cache marks themselves.
      const marked =
        call.operation.family === 'anthropic' ? understoodRequest : withCacheMarks(understoodRequest, caching)
      const request = await inlineContent(marked, adapter.inline ?? [], needs.http)
      const stream = adapter.always === undefined ? request.stream : adapter.always === 'streamed'
      const context = { nowMs: needs.clock.now(), callId: needs.requestId }
      return adapter.encode({ ...request, stream }, access, context)
    },

    async accept(reply, route, signal, mask) {
      const dialect = dialectOf(call)
      const request = await meant(route)
      const meta = metaOf(request)
      const dropped = droppedOf(route, request)
      const received = await answerParts(reply, route, signal)
      const { refusals: caught } = needs
      const inText = adapterOf(route).refusesInText === true
      const parts =
        call.stream && caught !== undefined ? await catchRefusal(call, received, { caught, inText }) : received
      const { keepAlive } = call.operation.stream
      if (call.stream)
        return { ...(await translateStream(parts, { dialect, keepAlive, meta, clock: needs.clock, mask })), ...dropped }
      const all: ChatPart[] = []
      for (let some = await received(); some !== undefined; some = await received()) {
        all.push(...some.map((part) => withCallId(part, meta.id)))
      }
      const refusal = needs.refusals === undefined ? undefined : refusalIn(all)
      if (refusal !== undefined) throw refusal
      const bytes = encoder.encode(JSON.stringify(dialect.whole(all, meta)))
      return { kind: 'complete', bytes, type: 'application/json', ...metered(all), ...dropped }
    },
  }
}

/** Only calls of Google's API are sent to the channel that has the file, for its owner. */
function refuseStoredFiles({ messages }: ChatRequest) {
  for (const { content } of messages)
    for (const part of content) {
      if ((part.type !== 'file' && part.type !== 'image') || !('url' in part.source)) continue
      const id = storedFileAt(part.source.url)
      if (id === undefined) continue
      const reason = new GatewayError('relay.file_of_google', { id: `files/${id}` })
      throw refusal('', part.type === 'file' ? 'file' : 'image_url', reason.in('en'))
    }
}

/**
 * Parses a call in its dialect. It may refer to earlier answers that another node has stored: missing ones are fetched from there,
 * and the call is parsed again.
 */
function understanding(call: Call, items: CallerItems | undefined) {
  const fetched = new Map<string, unknown>()
  return async (model: string): Promise<ChatRequest> => {
    for (;;) {
      const missing = new Set<string>()
      const recall = (id: string) => {
        const item = items?.recall(id) ?? fetched.get(id)
        if (item === undefined) missing.add(id)
        return item
      }
      try {
        return dialectOf(call).parse(call.body, { model, stream: call.stream, recall })
      } catch (error) {
        const known = fetched.size
        for (const id of missing) {
          const item = await items?.recallElsewhere(id)
          if (item !== undefined) fetched.set(id, item)
        }
        if (fetched.size === known) throw error
      }
    }
  }
}

type Adapter = NonNullable<NonNullable<Route['provider']>['chat']>

function adapterOf({ provider }: Route): Adapter {
  if (provider?.chat === undefined) throw new VendorError(failureOf('client', 'This channel does not offer chats'))
  return provider.chat
}

function dialectOf({ operation }: Call): Dialect {
  if (operation.dialect === undefined) throw new VendorError(failureOf('client', 'This call cannot be translated'))
  return operation.dialect
}

function decoded(adapter: Adapter, body: unknown): NextParts {
  let parts: readonly ChatPart[] | undefined = adapter.decode(body)
  if (parts.every(({ type }) => type === 'start'))
    throw new VendorError(failureOf('server', 'The upstream sent a malformed answer', { code: 'malformed_answer' }))
  return async () => {
    const all = parts
    parts = undefined
    return all
  }
}

/** `abandon` is called when the stream was not read to the end of the answer. */
function streamedParts(reply: Reply, adapter: Adapter, abandon?: () => void): NextParts {
  const events = eventsOf(reply, adapter.framing)
  const decode = adapter.streamDecoder()
  const isSocket = adapter.framing === 'websocket'
  const ends = createEnds()
  let started = false
  /** Parts that arrived before it are sent first. */
  let broken: { error: unknown } | undefined
  /** The last event says only that the vendor is at work. It is told after the parts, as nothing: a long silence may follow. */
  let announced = false

  const take = async (): Promise<ChatPart[] | undefined> => {
    if (broken !== undefined) throw broken.error
    if (announced) {
      announced = false
      return []
    }
    // A socket has no end of its own.
    if (isSocket && ends.reached()) return undefined
    const some = await events()
    if (some === undefined && !started) throw new VendorError(failureOf('server', 'The upstream sent nothing'))
    // An answer without its vendor's end mark must not look complete, however cleanly the connection was closed.
    if (some === undefined && !ends.reached()) throw new VendorError(UNFINISHED)
    if (some === undefined) return undefined
    const parts: ChatPart[] = []
    try {
      for (const event of some) {
        // Imitators of other dialects end a stream as OpenAI does, after the dialect's own end.
        if (event.data === '[DONE]' && ends.reached()) continue
        const decoded = decode(event)
        decoded.forEach(ends.note)
        parts.push(...decoded)
        announced = decoded.length === 0 && parts.length > 0
      }
    } catch (error) {
      if (parts.length === 0) throw error
      broken = { error }
    }
    started ||= parts.length > 0
    return parts
  }

  const leave = () => {
    reply.cancel()
    if (!ends.reached()) abandon?.()
  }
  return async () => {
    const parts = await take().catch((error) => {
      leave()
      throw error
    })
    if (parts === undefined) leave()
    return parts
  }
}

/** Whether every choice with any content has ended. */
function createEnds() {
  const open = new Set<number>()
  const ended = new Set<number>()
  return {
    note(part: ChatPart) {
      if (!('choice' in part)) return
      if (part.type === 'finish') ended.add(part.choice)
      else open.add(part.choice)
    },
    reached: () => ended.size > 0 && [...open].every((choice) => ended.has(choice)),
  }
}

function metered(parts: readonly ChatPart[]) {
  const meter = partMeter()
  for (const part of parts) meter.read(part)
  const input = meter.reportedInput()
  const usage = meter.reported() ?? (Object.keys(input).length === 0 ? undefined : usageOf(input))
  return { usage, written: meter.counted(), serviceTier: meter.serviceTier?.() }
}

/** What the caller sent and this vendor did not receive. */
function droppedOf({ provider, access }: Route, request: ChatRequest): Pick<Answer, 'dropped'> {
  if (provider === undefined) return {}
  const tools = droppedTools({ provider, access }, request)
  const parameters = droppedParameters({ provider, access }, request)
  return tools.length === 0 && parameters.length === 0 ? {} : { dropped: { tools, parameters } }
}
