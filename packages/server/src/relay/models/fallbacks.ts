import type { FallbackReason } from '@tollgate/contract'
import type { UpstreamFailure } from '@tollgate/providers'
import { type ErrorCode, GatewayError } from '../../common/errors.ts'
import { AllFailed } from '../../upstream/open.ts'

/** Nobody offers the model to this caller now, or nobody who does can answer such a call. */
const NO_CHANNEL: ReadonlySet<ErrorCode> = new Set([
  'relay.no_channel',
  'relay.channels_resting',
  'relay.unknown_model',
  'relay.unsupported',
])

/** Why a call failed, as far as another model might do better; undefined where none would. */
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

/** Vendors say it in words more often than in codes. */
const TOO_LONG =
  /context[_ -]?(length|window|size)|prompt is too long|too many (input )?tokens|maximum context|input.{0,30}too long/i
const REFUSED = /content[_ -]?(filter|policy|management)|safety (system|settings)|data_inspection_failed|sensitive/i

const told = ({ code, type, message }: UpstreamFailure) => `${code ?? ''} ${type} ${message}`
const isTooLong = (failure: UpstreamFailure) => failure.blame === 'request' && TOO_LONG.test(told(failure))
const isContentRefused = (failure: UpstreamFailure) => failure.blame === 'request' && REFUSED.test(told(failure))

/** A model that was not asked for, and the how manieth it is. */
export interface Instead {
  model: string
  number: number
}

/**
 * Makes the call, and where it fails for a reason that is named in the table, makes it with other models in their order.
 * Whatever those say, the caller is told of the model that was asked for. None of them has fallbacks of its own here, so
 * that there is no loop.
 */
export async function withFallbacks<T>(
  attempt: (instead?: Instead) => Promise<T>,
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
        // The caller's own end is no reason to go on.
        if (fallbackReason(another) === undefined) throw error
      }
    }
    throw error
  }
}
