import { advisorsOf } from '../relay/meter/advisors.ts'
import { estimateImages } from '../relay/meter/image-usage.ts'
import type { Call } from '../relay/surfaces/call.ts'

/** Whether a call may use other models, each with its own price, which a batch cannot bill. */
export const callsOtherModels = (call: Call) => estimateImages(call).imageOutput > 0 || advisorsOf(call) !== undefined
