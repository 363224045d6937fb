import { failureOf, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Clock } from '../clock.ts'
import type { Credentials } from '../upstream/credentials.ts'
import type { Wires } from '../upstream/open.ts'
import type { Call } from './call.ts'
import { attemptFor, laneOf } from './lanes.ts'
import { operationAt } from './surface.ts'

export type Probe = ReturnType<typeof createProbe>

interface Needs extends Wires {
  credentials: Credentials
  clock: Clock
}

const TIMEOUT_MS = 60_000

/** A short chat with one channel, past routing and billing, to see whether it answers. Throws the vendor's failure. */
export const createProbe =
  ({ http, sockets, credentials, clock }: Needs) =>
  async (route: Route, model: string) => {
    const call = shortChat(model)
    if (laneOf(call, route) === undefined)
      throw new VendorError(failureOf('client', 'This type of channel has no chats'))
    const requestId = Bun.randomUUIDv7()
    const attempt = attemptFor(call, { clock, http, sockets, requestId, accessOf: credentials.accessOf })
    const startedAt = clock.now()
    const answer = await attempt(route, AbortSignal.timeout(TIMEOUT_MS))
    if (answer.kind !== 'whole')
      throw new VendorError(failureOf('server', 'The vendor streamed what was not asked for'))
    return { ms: clock.now() - startedAt, text: textIn(answer.bytes) }
  }

/** Enough for a model to say something, also one that thinks first. */
const TOKENS_MAX = 256

function shortChat(model: string): Call {
  const chat = operationAt('/v1/chat/completions')
  if (chat === undefined) throw new Error('Chats are not served')
  const body = { model, messages: [{ role: 'user', content: 'Say hi.' }], max_tokens: TOKENS_MAX, stream: false }
  return {
    operation: chat.operation,
    model,
    stream: false,
    wantsUsage: false,
    body,
    form: undefined,
    headers: {},
    upstreamBody: (mapped) => JSON.stringify({ ...body, model: mapped }),
  }
}

/** An answer counts when it is a chat completion with a choice. */
function textIn(bytes: Uint8Array) {
  const body: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const choices = typeof body === 'object' && body !== null && 'choices' in body ? body.choices : undefined
  if (!Array.isArray(choices) || choices.length === 0) {
    throw new VendorError(failureOf('server', 'The answer holds no choice', { status: 502 }))
  }
  const content: unknown = choices[0]?.message?.content
  return typeof content === 'string' ? content : ''
}
