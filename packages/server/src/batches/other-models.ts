import { advisorsOf } from '../relay/meter/advisors.ts'
import { estimateImages } from '../relay/meter/image-usage.ts'
import type { Call } from '../relay/surfaces/call.ts'

/** Whether a call may have other models work for it, each at a price of its own, which a batch has no way to bill. */
export const callsOtherModels = (call: Call) => estimateImages(call).imageOutput > 0 || advisorsOf(call) !== undefined
