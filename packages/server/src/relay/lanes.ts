import type { Route } from '../catalog/snapshot.ts'
import type { Errand } from '../upstream/open.ts'
import { adapterLane, hasAdapter } from './adapter-lane.ts'
import type { Answer } from './answer.ts'
import type { Call } from './call.ts'
import { convertLane } from './convert-lane.ts'
import type { LaneNeeds } from './lane-needs.ts'
import { passLane } from './pass-lane.ts'

type Lane = 'pass' | 'convert' | 'adapter'

/** Bytes go through where the vendor speaks the caller's dialect; otherwise a chat is translated. */
export const laneOf = (call: Call, route: Route): Lane | undefined => {
  const { provider, access, systemPrompt } = route
  if (provider === undefined) return undefined
  // A channel's own system prompt has to be put into the conversation, which means understanding it.
  const untouched = systemPrompt === '' || call.operation.dialect === undefined
  if (untouched && call.operation.address(provider, access, call.model) !== undefined) return 'pass'
  if (call.operation.dialect !== undefined && provider.chat !== undefined) return 'convert'
  return hasAdapter(call, provider) ? 'adapter' : undefined
}

/** How a call goes to whichever channel is tried. */
export const errandFor = (call: Call, needs: LaneNeeds): Errand<Answer> => {
  const lanes: Record<Lane, Errand<Answer>> = {
    pass: passLane(call, needs),
    convert: convertLane(call, needs),
    adapter: adapterLane(call, needs),
  }
  const lane = (route: Route) => lanes[laneOf(call, route) ?? 'pass']
  return {
    request: (route) => lane(route).request(route),
    accept: (response, route) => lane(route).accept(response, route),
  }
}
