import type { StreamEvent } from '@tollgate/providers'
import { eventsOf } from './events.ts'
import type { Reply } from './reply.ts'

const encoder = new TextEncoder()

/** Converts Anthropic's events in Amazon's binary framing to the server-sent events that its clients read. */
export const asServerEvents = (reply: Reply): Reply => {
  const events = eventsOf(reply, 'aws-event-stream')
  return {
    status: reply.status,
    ok: reply.ok,
    headers: reply.headers,
    cancel: () => reply.cancel(),
    async read() {
      for (let some = await events(); some !== undefined; some = await events()) {
        if (some.length > 0) return encoder.encode(some.map(toFrame).join(''))
      }
      return undefined
    },
  }
}

export const isAmazonStream = (type: string) => type.startsWith('application/vnd.amazon.eventstream')

/** The event is wrapped in another; anything else is an error of Amazon's. */
function toFrame({ event, data }: StreamEvent): string {
  const body: { bytes?: string; message?: string } = JSON.parse(data)
  if (event !== 'chunk' || typeof body.bytes !== 'string') return errorFrame(event, body.message ?? data)
  const inner = Buffer.from(body.bytes, 'base64').toString()
  const { type }: { type?: string } = JSON.parse(inner)
  return `event: ${type ?? ''}\ndata: ${inner}\n\n`
}

const errorFrame = (event: string, message: string) =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: ERRORS.get(event) ?? 'api_error', message } })}\n\n`

const ERRORS = new Map<string, string>([
  ['throttlingException', 'rate_limit_error'],
  ['serviceUnavailableException', 'overloaded_error'],
  ['validationException', 'invalid_request_error'],
])
