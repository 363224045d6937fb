import {
  type ChatPart,
  type ChatRequest,
  type Dialect,
  failureOf,
  NO_USAGE,
  type Usage,
  VendorError,
} from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { eventsOf } from '../upstream/events.ts'
import { followTask } from '../upstream/follow-task.ts'
import type { Errand } from '../upstream/open.ts'
import { type Reply, readJson } from '../upstream/reply.ts'
import { type Answer, type Metering, type Piece, resumed, upstreamModel } from './answer.ts'
import type { Call } from './call.ts'
import { inlined } from './inline-content.ts'
import type { LaneNeeds } from './lane-needs.ts'
import { tokensOfBytes } from './written-text.ts'

const encoder = new TextEncoder()

/** The lane for vendors with a dialect of their own: the chat is translated, there and back. */
export const convertLane = (call: Call, needs: LaneNeeds): Errand<Answer> => {
  const { items } = needs
  const meant = (route: Route): ChatRequest => {
    const request = dialectOf(call).parse(call.body, {
      ...{ model: upstreamModel(call, route), stream: call.stream },
      ...(items === undefined ? {} : { recall: items.recall }),
    })
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
    createdSec: Math.floor(needs.clock.now() / 1000),
    request,
    ...(items === undefined ? {} : { remember: items.remember }),
  })

  const answerParts = async (reply: Reply, route: Route, signal: AbortSignal) => {
    const adapter = adapterOf(route)
    if (adapter.task !== undefined && route.provider !== undefined) {
      const task = { follower: adapter.task, access: await needs.accessOf(route), provider: route.provider }
      const outcome = await followTask(needs.http, { ...task, stream: call.stream }, reply, signal)
      return 'body' in outcome ? decoded(adapter, outcome.body) : streamedParts(outcome.stream, adapter, outcome.cancel)
    }
    // A refusal inside a 200 answer comes as plain JSON, also where a stream was asked for.
    const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true
    const streamed = !isJson && (adapter.always === undefined ? call.stream : adapter.always === 'streamed')
    return streamed ? streamedParts(reply, adapter) : decoded(adapter, await readJson(reply))
  }

  return {
    async request(route) {
      const adapter = adapterOf(route)
      const request = await inlined(meant(route), adapter.inline ?? [], needs.http)
      const stream = adapter.always === undefined ? request.stream : adapter.always === 'streamed'
      const moment = { nowMs: needs.clock.now(), callId: needs.requestId }
      return adapter.encode({ ...request, stream }, await needs.accessOf(route), moment)
    },

    async accept(reply, route, signal) {
      const dialect = dialectOf(call)
      const meta = metaOf(meant(route))
      const parts = await answerParts(reply, route, signal)
      if (call.stream) return streamTo(parts, dialect, meta)
      const all: ChatPart[] = []
      for await (const part of parts) all.push(part)
      const bytes = encoder.encode(JSON.stringify(dialect.whole(all, meta)))
      return { kind: 'whole', bytes, type: 'application/json', usage: usageIn(all) }
    },
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

async function* decoded(adapter: Adapter, body: unknown): AsyncGenerator<ChatPart> {
  yield* adapter.decode(body)
}

/** `abandon` is called when the stream was not read to the end of the answer. */
async function* streamedParts(reply: Reply, adapter: Adapter, abandon?: () => void): AsyncGenerator<ChatPart> {
  const decode = adapter.streamDecoder()
  let finished = false
  try {
    for await (const event of eventsOf(reply, adapter.framing)) {
      const parts = decode(event)
      finished ||= parts.some(({ type }) => type === 'finish')
      yield* parts
      if (finished && adapter.framing === 'websocket') return
    }
    // A socket has no end of its own: whoever closes it before the model has finished breaks off.
    if (adapter.framing === 'websocket') throw new VendorError(failureOf('server', 'The upstream broke off its answer'))
  } finally {
    if (!finished) abandon?.()
  }
}

/** Translates part by part. It waits for the first one, so that an error before any content can be tried elsewhere. */
async function streamTo(
  parts: AsyncGenerator<ChatPart>,
  dialect: Dialect,
  meta: Parameters<Dialect['stream']>[0],
): Promise<Answer> {
  const frames = dialect.stream(meta)
  const metering = partMeter()
  async function* pieces(): AsyncGenerator<Piece> {
    for await (const part of parts) {
      metering.read(part)
      const text = frames.frame(part)
      if (text !== '') yield { bytes: encoder.encode(text), ending: undefined }
    }
    yield { bytes: new Uint8Array(0), ending: frames.end() }
  }
  const all = pieces()
  const next = async () => (await all.next()).value ?? undefined
  const first = await next()
  return {
    kind: 'stream',
    type: 'text/event-stream',
    next: resumed(first, next),
    meter: metering,
    failed: frames.error,
  }
}

function partMeter(): Metering & { read(part: ChatPart): void } {
  let usage: Usage | undefined
  // Bytes, not tokens: parts are as short as a word, and rounding each of them up would double the count.
  let bytes = 0
  return {
    read(part) {
      if (part.type === 'usage') usage = { ...(usage ?? NO_USAGE), ...part.usage }
      else if (part.type === 'text' || part.type === 'reasoning' || part.type === 'refusal')
        bytes += Buffer.byteLength(part.text)
      else if (part.type === 'tool-call') bytes += Buffer.byteLength(part.arguments)
    },
    reported: () => usage,
    counted: () => tokensOfBytes(bytes),
    hasContent: () => bytes > 0,
  }
}

function usageIn(parts: readonly ChatPart[]) {
  const meter = partMeter()
  for (const part of parts) meter.read(part)
  return meter.reported()
}
