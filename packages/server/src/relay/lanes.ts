import { NO_USAGE } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { attemptOnce } from '../upstream/open.ts'
import { adapterLane, hasAdapter } from './adapter-lane.ts'
import type { Answer } from './answer.ts'
import type { Call } from './call.ts'
import { convertLane } from './convert-lane.ts'
import { estimateInput } from './estimate.ts'
import type { LaneNeeds } from './lane-needs.ts'
import { passLane } from './pass-lane.ts'

type Lane = keyof typeof LANES | 'count'

/** What was found out about a route, by operation and model; routes are replaced when anything about them changes. */
const known = new WeakMap<Route, Map<string, Lane | undefined>>()

/** Bytes go through where the vendor speaks the caller's dialect; otherwise a chat is translated. */
export const laneOf = (call: Call, route: Route): Lane | undefined => {
  if (!route.models.has(call.model)) return findLane(call, route)
  const lanes = known.get(route) ?? new Map<string, Lane | undefined>()
  known.set(route, lanes)
  const name = `${call.operation.name} ${call.model}`
  if (!lanes.has(name)) lanes.set(name, findLane(call, route))
  return lanes.get(name)
}

function findLane(call: Call, route: Route): Lane | undefined {
  const { provider, access, systemPrompt } = route
  if (provider === undefined) return undefined
  // A channel's own system prompt has to be put into the conversation, which means understanding it.
  const untouched = systemPrompt === '' || call.operation.dialect === undefined
  if (untouched && call.operation.address(provider, access, call.model) !== undefined) return 'pass'
  if (call.operation.dialect !== undefined && provider.chat !== undefined) return 'convert'
  if (call.operation.countBody !== undefined && offersChats(route)) return 'count'
  return hasAdapter(call, route) ? 'adapter' : undefined
}

const LANES = { pass: passLane, convert: convertLane, adapter: adapterLane }

/** One try of a call at whichever channel it is given. */
export const attemptFor =
  (call: Call, needs: LaneNeeds) =>
  async (route: Route, signal: AbortSignal): Promise<Answer> => {
    const lane = laneOf(call, route) ?? 'pass'
    return lane === 'count' ? countHere(call) : attemptOnce(needs, route, LANES[lane](call, needs), signal)
  }

/** Whoever chats can be counted for, though he cannot count himself. */
const offersChats = ({ provider, access }: Route) =>
  provider?.chat !== undefined || provider?.openai?.url('chat/completions', access, '') !== undefined

/** Our own estimate, by which calls are held as well. */
function countHere(call: Call): Answer {
  const body = call.operation.countBody?.(estimateInput(call))
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  return { kind: 'whole', bytes, type: 'application/json', usage: NO_USAGE, ours: true }
}
