import type { FallbackReason } from '@tollgate/contract'
import type { UpstreamFailure } from '@tollgate/providers'
import { type ErrorCode, GatewayError } from '../../common/errors.ts'
import { AllFailed } from '../../upstream/open.ts'

/** No channel offers the model to this caller now, or none that does can answer such a call. */
const NO_CHANNEL: ReadonlySet<ErrorCode> = new Set([
  'relay.no_channel',
  'relay.channels_resting',
  'relay.channel_budget_spent',
  'relay.unknown_model',
  'relay.unsupported',
])

/** The failure as a fallback reason; undefined when another model would not help. */
function fallbackReason(error: unknown): FallbackReason | undefined {
  if (error instanceof GatewayError) return NO_CHANNEL.has(error.code) ? 'no_channel' : undefined
  if (!(error instanceof AllFailed)) return undefined
  const { failure } = error
  if (failure.class === 'timeout') return 'timeout'
  if (failure.status === 429) return 'rate_limited'
  if (isTooLong(failure)) return 'too_long'
  if (isContentRefused(failure)) return 'content_refused'
  return failure.blame === 'request' ? undefined : 'upstream_error'
}

/** Vendors express it in text more often than in codes. */
const TOO_LONG =
  /context[_ -]?(length|window|size)|prompt is too long|too many (input )?tokens|maximum context|input.{0,30}too long/i
const REFUSED = /content[_ -]?(filter|policy|management)|safety (system|settings)|data_inspection_failed|sensitive/i

const told = ({ code, type, message }: UpstreamFailure) => `${code ?? ''} ${type} ${message}`
const isTooLong = (failure: UpstreamFailure) => failure.blame === 'request' && TOO_LONG.test(told(failure))
const isContentRefused = (failure: UpstreamFailure) => failure.blame === 'request' && REFUSED.test(told(failure))

/** A fallback model, and its position. */
export interface FallbackModel {
  model: string
  number: number
}

/**
 * Makes the call, and if it fails for a reason named in the table, retries it with other models in order. Whatever those answer,
 * errors are about the requested model. Fallbacks have no fallbacks of their own here, so there is no loop.
 */
export async function withFallbacks<T>(
  attempt: (instead?: FallbackModel) => Promise<T>,
  modelsFor: (reason: FallbackReason) => readonly string[],
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    const reason = fallbackReason(error)
    const models = reason === undefined ? [] : modelsFor(reason)
    for (const [index, model] of models.entries()) {
      try {
        return await attempt({ model, number: index + 1 })
      } catch (another) {
        // A client that disconnected is no reason to continue.
        if (fallbackReason(another) === undefined) throw error
      }
    }
    throw error
  }
}
