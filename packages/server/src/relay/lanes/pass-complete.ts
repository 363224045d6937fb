import { brokenFinish, embeddedError, failureOf, isWhole, usageOf, VendorError } from '@tollgate/providers'
import type { Mask } from '../../upstream/mask.ts'
import { asReply, type Reply, readBytes } from '../../upstream/reply.ts'
import type { Answer } from '../answer.ts'
import { hasInvalidUsage, type Reported } from '../meter/plausible-usage.ts'
import type { Call } from '../surfaces/call.ts'
import { acceptStream } from './pass-stream.ts'
import { isObject, noResponse, type PassedCall } from './passed-call.ts'
import { throwRefusal } from './refused-answers.ts'
import { responseAsStream } from './response-as-stream.ts'
import { repairWhole } from './strict-tool-calls.ts'
import { inRequestedEncoding } from './vectors.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** An answer in one piece. One that a client requested as a stream is sent as events. */
export async function acceptComplete(reply: Reply, passed: PassedCall, type: string): Promise<Answer> {
  const { call, mask } = passed
  const kind = type.toLowerCase()
  const bytes = await readBytes(reply)
  if (kind.startsWith('text/html')) throw notJson()
  if (!kind.includes('json') && mayBePlain(call)) {
    // It is not checked for errors, so a vendor's error text passes as if it were the transcript.
    return {
      kind: 'complete',
      bytes: kind.startsWith('text/') ? masked(bytes, mask) : bytes,
      type,
      usage: undefined,
    }
  }
  const body = parsed(bytes)
  if (!isObject(body)) throw notJson()
  if (call.operation.name === 'responses' && 'choices' in body) throw noResponse()
  const usage = usageIn(body, call)
  // What was billed is an answer, whatever it looks like.
  if (usage === undefined && call.operation.isAnswer?.(body) === false) throw noAnswer(body)
  if (passed.refusals !== undefined) throwRefusal(call, body)
  const serviceTier = call.operation.usage.readServiceTier(body)
  const imageUsage = call.operation.usage.readImages?.(body)
  const advisors = call.operation.usage.readAdvisors?.(body)
  const servingModel = call.operation.usage.readServingModel?.(body)
  const stream = call.stream ? responseAsStream(call.operation.name, body) : undefined
  if (stream !== undefined) return acceptStream(asReply(new Response(stream)), passed)
  const shown = readable(body, passed)
  const answered = shown === undefined ? bytes : encoder.encode(JSON.stringify(shown))
  return { kind: 'complete', bytes: answered, type, usage, serviceTier, imageUsage, advisors, servingModel }
}

/** Audio, and transcripts in subtitle formats. */
export const mayBePlain = ({ operation }: Call) =>
  operation.answer === 'bytes' || operation.name.startsWith('audio/trans')

/** Only text that contains a secret is rewritten: it may be in another encoding. */
function masked(bytes: Uint8Array<ArrayBuffer>, mask: Mask) {
  const text = decoder.decode(bytes)
  const shown = mask.text(text)
  return shown === text ? bytes : encoder.encode(shown)
}

function usageIn(body: Record<string, unknown>, { operation }: Call): Reported | undefined {
  const error = errorIn(body)
  if (error !== undefined) throw error
  if (hasInvalidUsage(body)) return 'implausible'
  if (operation.usage.isFree?.(body)) return 'free'
  const usage = operation.usage.read(body)
  return usage && (isWhole(usage) ? usage : usageOf(usage))
}

/** Some vendors report an error with status 200; that is no answer, and another channel may have one. */
function errorIn(body: Record<string, unknown>): Error | undefined {
  if (body.status === 'failed') return embeddedError(body)
  if ('output' in body) return undefined
  const [choice]: unknown[] = Array.isArray(body.choices) ? body.choices : []
  if (choice === undefined) return embeddedError(body)
  return isObject(choice) ? brokenFinish(choice) : undefined
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw notJson()
  }
}

/** Its own words, if it has any, say more than ours. */
const noAnswer = ({ message, msg }: Record<string, unknown>) =>
  new VendorError(
    failureOf('server', [message, msg].find(isWords) ?? 'The upstream sent a malformed answer', {
      code: 'malformed_answer',
    }),
  )

const isWords = (value: unknown): value is string => typeof value === 'string' && value !== ''

function notJson() {
  return new VendorError(failureOf('server', 'The upstream answered with something that is not JSON', { status: 502 }))
}

/** A whole answer as a strict client can read it; undefined when it already is. */
function readable(body: Record<string, unknown>, { call, repair }: PassedCall): unknown {
  if (call.operation.name === 'embeddings') {
    const shown = inRequestedEncoding(call.body, body)
    return shown === body ? undefined : shown
  }
  repair?.(body)
  const repaired = call.operation.name === 'chat/completions' && repairWhole(body)
  return repair !== undefined || repaired ? body : undefined
}
