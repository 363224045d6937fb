import { LogType, type Outcome } from '@tollgate/contract'
import { z } from 'zod'

/** The parts of an older call's detail that tell its outcome; everything else is ignored. */
const Detail = z.object({
  flag: z.string().catch(''),
  error: z.string().catch(''),
  attempts: z.array(z.object({ status: z.number() })).catch([]),
  usage: z.record(z.string(), z.number()).catch({}),
})
export type OldDetail = z.output<typeof Detail>

export const oldDetail = (text: string): OldDetail => Detail.parse(parsed(text))

const FLAGS = new Map<string, Outcome>([
  ['client_abort', 'canceled'],
  ['partial', 'upstream_error'],
  ['quota_end', 'access'],
  ['time_out', 'timeout'],
  ['restart', 'upstream_error'],
  ['recovered', 'upstream_error'],
])

/** Vendor statuses that mean an invalid request. */
const CALLERS_FAULT = new Set([400, 404, 405, 413, 414, 415, 422])

/** The outcome of a call of a version that did not record it. */
export const oldOutcome = (type: number, { flag, error, attempts }: OldDetail): Outcome => {
  if (type === LogType.consume) return FLAGS.get(flag) ?? 'success'
  const status = attempts.at(-1)?.status ?? 0
  if (error.startsWith('The client left')) return 'canceled'
  if (status === 504 || /in time|went silent|too long/.test(error)) return 'timeout'
  return CALLERS_FAULT.has(status) ? 'client_error' : 'upstream_error'
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
