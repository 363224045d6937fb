import { failureOf, VendorError } from '@tollgate/providers'
import type { Mask } from '../../upstream/mask.ts'
import type { Call } from '../surfaces/call.ts'
import type { CaughtRefusals } from './lane-needs.ts'
import type { Repair } from './repair-events.ts'

/** A call whose answer passes unchanged, except for secrets and the repairs that strict clients need. */
export interface PassedCall {
  call: Call
  mask: Mask
  repair: Repair | undefined
  refusals: CaughtRefusals | undefined
}

/** Behind some base URLs every path leads to chats. */
export const noResponse = () =>
  new VendorError(failureOf('client', 'The upstream answered with a chat', { status: 404, code: 'unknown_url' }))

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
