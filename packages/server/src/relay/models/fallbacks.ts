import { FallbackReason } from '@tollgate/contract'
import { type ErrorCode, GatewayError } from '../../common/errors.ts'
import { AllFailed } from '../../upstream/open.ts'
import { isContentRefused, isTooLong } from './refusal-words.ts'

/** No channel offers the model to this caller now, or none that does can answer such a call. */
const NO_CHANNEL: ReadonlySet<ErrorCode> = new Set([
  'relay.no_channel',
  'relay.channels_resting',
  'relay.channel_budget_spent',
  'relay.unknown_model',
  'relay.unsupported',
])

/** What the failure is called in the table, in any of these words; none when another model would not help. */
function fallbackReasons(error: unknown): FallbackReason[] {
  if (error instanceof GatewayError) return NO_CHANNEL.has(error.code) ? ['no_channel', ...cooldownReason(error)] : []
  return error instanceof AllFailed ? failureReasons(error) : []
}

/** While channels cool down, a call fails for the reason of the one that started the cool-down. */
function cooldownReason({ values }: GatewayError) {
  const { data } = FallbackReason.safeParse(values.after)
  return data === undefined ? [] : [data]
}

function failureReasons({ failure }: AllFailed): FallbackReason[] {
  if (failure.class === 'timeout') return ['timeout']
  if (failure.status === 429) return ['rate_limited']
  const reasons: FallbackReason[] = []
  if (isTooLong(failure)) reasons.push('too_long')
  if (isContentRefused(failure)) reasons.push('content_refused')
  // An error inside an answer has no status to say whose fault it is: then its words count too.
  if (failure.blame !== 'request') reasons.push('upstream_error')
  return reasons
}

/** A fallback model, and its position. */
export interface FallbackModel {
  model: string
  number: number
  /** What it refuses, nobody else answers: then its refusal is the answer. */
  isLast: boolean
}

/**
 * Makes the call, and if it fails for a reason named in the table, retries it with other models in order. Whatever those answer,
 * errors are about the requested model. Fallbacks have no fallbacks of their own here, so there is no loop.
 */
export async function withFallbacks<T>(
  attempt: (instead?: FallbackModel) => Promise<T>,
  modelsFor: (reasons: readonly FallbackReason[]) => readonly string[],
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    const reasons = fallbackReasons(error)
    const models = reasons.length === 0 ? [] : modelsFor(reasons)
    for (const [index, model] of models.entries()) {
      try {
        return await attempt({ model, number: index + 1, isLast: index === models.length - 1 })
      } catch (another) {
        // A client that disconnected is no reason to continue.
        if (fallbackReasons(another).length === 0) throw error
      }
    }
    throw error
  }
}
