import { failureOf, inputTokens, type UpstreamFailure, VendorError } from '@tollgate/providers'
import { GatewayError } from '../common/errors.ts'
import { notHttpFailure, protocolErrorIn } from '../upstream/fault.ts'
import type { Deadline } from '../upstream/open.ts'
import { type Metering, UNFINISHED, underName } from './answer.ts'
import { countInput } from './meter/estimate.ts'
import { isPlausible } from './meter/plausible-usage.ts'
import { outcomeOfFailure } from './outcome.ts'
import type { ActiveCall, CallEnd } from './settlement.ts'
import { insufficientQuota } from './surfaces/insufficient-quota.ts'

/* How a stream ended: what is charged for it, and why it was not completed. */

/** `output`: our own count of what was delivered, in case the vendor reports nothing. */
export function delivered(
  { call, quote }: ActiveCall,
  meter: Metering,
  output = meter.counted(),
): Omit<CallEnd, 'outcome'> {
  const own = () => ({ ...countInput(underName(call, quote.model)), [meter.counts ?? 'output']: output })
  const reported = meter.reported()
  const input = meter.reportedInput()
  const counted = () => ({ ...own(), ...input })
  const [serviceTier, imageUsage, advisors] = [meter.serviceTier?.(), meter.imageUsage?.(), meter.advisors?.()]
  // Half a report is judged like a whole one.
  const isOdd = Object.keys(input).length > 0 && !isPlausible(counted(), call, () => inputTokens(own()))
  const beside = { serviceTier, imageUsage, advisors, servingModel: meter.servingModel?.() }
  return isOdd ? { reported: 'implausible', counted: own, ...beside } : { reported, counted, ...beside }
}

/** Delivered content is billed; an error before any content is a failed call. */
export function broken(active: ActiveCall, meter: Metering, failure: UpstreamFailure): CallEnd {
  const { message } = failure
  const outcome = outcomeOfFailure(failure)
  if (!meter.hasContent())
    return { reported: undefined, counted: undefined, outcome, flag: 'upstream_error', error: message }
  return { ...delivered(active, meter), outcome, flag: 'partial', reason: message }
}

/** Reported by the vendor, ended by the watchdog, or cut off. */
export function failureIn(error: unknown, deadline: Deadline): UpstreamFailure {
  if (error instanceof VendorError) return error.failure
  if (deadline.signal.aborted) return SILENT
  const invalid = protocolErrorIn(error)
  return invalid === undefined ? BROKEN_OFF : notHttpFailure(invalid)
}

/** Closed without its last event. */
export const CUT = new VendorError(UNFINISHED)
const BROKEN_OFF = failureOf('server', 'The upstream broke off its answer')
const SILENT = failureOf('timeout', 'The upstream went silent')

export const outOfQuotaFailure = ({ context, call }: ActiveCall) =>
  insufficientQuota(new GatewayError('quota.rest').in(context.language), call.operation.family)
