import { failureOf, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { TestKind } from '../catalog/test-model.ts'
import { type Clock, stopwatch } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { createRequestId } from '../common/request-id.ts'
import type { Credentials } from '../upstream/credentials.ts'
import { createMask } from '../upstream/mask.ts'
import type { Transports } from '../upstream/open.ts'
import { attemptFor, laneOf } from './lanes/lanes.ts'
import type { Call } from './surfaces/call.ts'
import { operationAt } from './surfaces/operations.ts'

export type Probe = ReturnType<typeof createProbe>

interface Needs extends Transports {
  credentials: Credentials
  clock: Clock
}

const TIMEOUT_MS = 60_000

/** A short call to one channel, without routing and billing, to test whether it answers. Throws the vendor's failure. */
export const createProbe =
  ({ http, sockets, credentials, clock }: Needs) =>
  async (route: Route, model: string, kind: TestKind) => {
    const call = shortCall(kind, model)
    if (laneOf(call, route) === undefined) throw new GatewayError('channel.test_no_chats')
    const requestId = createRequestId(clock)
    const attempt = attemptFor(call, { clock, http, sockets, requestId, credentials })
    const elapsed = stopwatch(clock)
    const answer = await attempt(route, AbortSignal.timeout(TIMEOUT_MS))
    if (answer.kind !== 'complete')
      throw new VendorError(failureOf('server', 'The vendor streamed what was not asked for'))
    const ms = Math.round(elapsed())
    const text = READ[kind](JSON.parse(new TextDecoder().decode(answer.bytes)))
    // The answer is written to the log.
    return { ms, text: createMask(route.access).text(text) }
  }

/** No length limit: its name differs between models, and reasoning models need room. */
const ASKED: Record<TestKind, { path: string; body: object }> = {
  chat: { path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'Say hi.' }], stream: false } },
  embeddings: { path: '/v1/embeddings', body: { input: 'hi' } },
}

function shortCall(kind: TestKind, model: string): Call {
  const { path, body } = ASKED[kind]
  const found = operationAt(path)
  if (found === undefined) throw new Error(`${path} is not served`)
  return {
    operation: found.operation,
    model,
    stream: false,
    wantsUsage: false,
    body: { model, ...body },
    form: undefined,
    audioSeconds: 0,
    headers: {},
    upstreamBody: (mapped) => JSON.stringify({ model: mapped, ...body }),
  }
}

/** An answer counts if it is a chat completion with a choice, or a list with an embedding. */
const READ: Record<TestKind, (body: unknown) => string> = {
  chat(body) {
    const [choice] = listIn(body, 'choices')
    if (choice === undefined) throw empty('choice')
    const { message } = Object(choice)
    return typeof message?.content === 'string' ? message.content : ''
  },
  embeddings(body) {
    const [entry] = listIn(body, 'data')
    const vector = Object(entry).embedding
    if (vector === undefined) throw empty('vector')
    return Array.isArray(vector) ? `[${vector.length}]` : ''
  },
}

const listIn = (body: unknown, member: string): unknown[] => {
  const list: unknown = Object(body)[member]
  return Array.isArray(list) ? list : []
}

const empty = (what: string) => new VendorError(failureOf('server', `The answer holds no ${what}`, { status: 502 }))
