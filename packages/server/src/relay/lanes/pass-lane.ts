import { asServerEvents, isAmazonStream } from '../../upstream/amazon-events.ts'
import type { UpstreamCall } from '../../upstream/open.ts'
import type { Reply } from '../../upstream/reply.ts'
import type { Answer } from '../answer.ts'
import type { Call } from '../surfaces/call.ts'
import type { LaneNeeds } from './lane-needs.ts'
import { acceptComplete, mayBePlain } from './pass-complete.ts'
import { passRequest, refusedMembers } from './pass-request.ts'
import { acceptSpeech } from './pass-speech.ts'
import { acceptStream, STREAM_TYPE } from './pass-stream.ts'
import type { PassedCall } from './passed-call.ts'
import { vendorHeaders } from './vendor-headers.ts'

/**
 * The lane for vendors that speak the caller's dialect: request and answer pass unchanged, and only the meter reads them.
 */
export const passLane = (
  call: Call,
  { clock, refusals }: Pick<LaneNeeds, 'clock' | 'refusals'>,
): UpstreamCall<Answer> => ({
  request: (route, access) => passRequest(call, route, access, clock.now()),

  async accept(reply, route, _signal, mask) {
    const repair = route.provider === undefined ? undefined : call.operation.native.repair?.(route.provider)
    const headers = vendorHeaders(reply.headers)
    const answer = await acceptReply(reply, { call, repair, mask, refusals })
    answer.headers = headers
    const parameters = refusedMembers(call, route)
    if (parameters.length > 0) answer.dropped = { tools: [], parameters }
    return answer
  },
})

function acceptReply(reply: Reply, passed: PassedCall): Promise<Answer> {
  const { call } = passed
  const type = reply.headers.get('content-type') ?? 'application/json'
  const kind = type.toLowerCase()
  if (call.stream && isAmazonStream(kind)) return acceptStream(asServerEvents(reply), passed)
  if (call.stream && isStream(kind, call)) return acceptStream(reply, passed)
  if (isSpeech(call, kind)) return acceptSpeech(reply, passed, type)
  return acceptComplete(reply, passed, type)
}

/** Some vendors label their streams only as text. */
const isStream = (type: string, call: Call) =>
  type.startsWith(STREAM_TYPE) || (type.startsWith('text/plain') && !mayBePlain(call))

const isSpeech = ({ operation }: Call, kind: string) => operation.name === 'audio/speech' && !/json|html/.test(kind)
