import { failureOf, type UpstreamFailure } from '../failure.ts'
import type { Fields } from '../json.ts'

/*
 * According to the public documentation of midjourney-proxy: the answer to a submission, and the state of a task.
 */

/** What a submission is answered with; every other number is an error too. */
export const MJ_CODES = {
  submitted: 1,
  notFound: 3,
  invalid: 4,
  failed: 9,
  /** The same upscale was made before, or a window waits for its confirmation: `result` names the task. */
  exists: 21,
  queued: 22,
  queueFull: 23,
  bannedPrompt: 24,
} as const

const TAKEN: ReadonlySet<unknown> = new Set([MJ_CODES.submitted, MJ_CODES.exists, MJ_CODES.queued])

/** `CANCEL` is known to some of its forks alone. */
const ENDS: ReadonlySet<string> = new Set(['SUCCESS', 'FAILURE', 'CANCEL'])

export interface MjTaskState {
  id: string
  status: string
  ended: boolean
}

/** Of the answer to a submission, which has a code, or of a task. Without an id where it names none that can be one. */
export const readMjTask = (body: Fields): MjTaskState => {
  if ('code' in body) return { id: idIn(body.result), status: 'SUBMITTED', ended: false }
  const status = typeof body.status === 'string' && body.status !== '' ? body.status : 'NOT_START'
  return { id: idIn(body.id), status, ended: ENDS.has(status) }
}

/** Why a submission was not taken; undefined for one that was, and for a task. */
export const mjRefusal = ({ code, description }: Fields): UpstreamFailure | undefined => {
  if (code === undefined || TAKEN.has(code)) return undefined
  const message =
    typeof description === 'string' && description !== '' ? description : `The vendor answered code ${code}`
  if (code === MJ_CODES.queueFull) return failureOf('rate', message)
  const isRequest = code === MJ_CODES.invalid || code === MJ_CODES.bannedPrompt
  // Most of the others mean that no account is free or signed in there; another channel may have one.
  return failureOf(isRequest ? 'client' : 'server', message)
}

/** Some forks write it as a number. It goes into paths. */
function idIn(value: unknown) {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[\w-]{1,200}$/.test(text) ? text : ''
}
