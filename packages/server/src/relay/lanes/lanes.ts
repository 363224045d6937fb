import { inputTokens, NO_USAGE, type Provider, VendorError } from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import { attemptOnce, type Deadline } from '../../upstream/open.ts'
import { type Answer, upstreamModel } from '../answer.ts'
import { countInput } from '../meter/estimate.ts'
import type { Call, RoutedCall } from '../surfaces/call.ts'
import { refuseTooDeep } from '../surfaces/nesting.ts'
import { adapterLane, hasAdapter } from './adapter-lane.ts'
import { isTooMuchFor, refusedHabit, remember } from './agent-habits.ts'
import { convertLane } from './convert-lane.ts'
import type { LaneNeeds } from './lane-needs.ts'
import { passLane } from './pass-lane.ts'

type Lane = keyof typeof LANES | 'count'

/** Lanes of a route by operation and model; routes are replaced when anything about them changes. */
const knownLanes = new WeakMap<Route, Map<string, Map<string, Lane | undefined>>>()

/** Routes whose vendor turned out to lack Responses, although others of its type have them. */
const withoutResponses = new WeakSet<Route>()

let found = 0

/** A version that changes with findings about routes. */
export const laneFindings = () => found

/** Bytes pass through when the vendor speaks the caller's dialect; otherwise a chat is translated. */
export const laneOf = (call: RoutedCall, route: Route): Lane | undefined => {
  if (!route.models.has(call.model)) return findLane(call, route)
  const byModel = lanesByModel(call.operation.name, route)
  if (!byModel.has(call.model)) byModel.set(call.model, findLane(call, route))
  return byModel.get(call.model)
}

function lanesByModel(operation: string, route: Route) {
  const known = knownLanes.get(route) ?? new Map<string, Map<string, Lane | undefined>>()
  knownLanes.set(route, known)
  const byModel = known.get(operation) ?? new Map<string, Lane | undefined>()
  known.set(operation, byModel)
  return byModel
}

/** Whether the vendor receives the service tier: in its own dialect, or when chats become responses. */
export const sendsServiceTier = (call: Call, route: Route) => {
  const lane = laneOf(call, route)
  return lane === 'pass' || (lane === 'convert' && hasResponses(call, route))
}

const hasResponses = (call: Call, route: Route) =>
  route.provider?.openai?.url('responses', route.access, upstreamModel(call, route)) !== undefined

function findLane(call: RoutedCall, route: Route): Lane | undefined {
  const { provider, systemPrompt } = route
  if (provider === undefined) return undefined
  // A channel's system prompt has to be inserted into the conversation, which requires parsing it.
  const untouched = systemPrompt === '' || call.operation.dialect === undefined
  const passes = untouched && !(call.operation.name === 'responses' && withoutResponses.has(route))
  if (passes && hasAddress(call, route, provider)) return 'pass'
  if (call.operation.dialect !== undefined && provider.chat !== undefined) return 'convert'
  if (call.operation.countBody !== undefined && offersChats(route)) return 'count'
  return hasAdapter(call, route) ? 'adapter' : undefined
}

/** A misconfigured channel fails when it is tried: until then it must not affect the others. */
function hasAddress(call: RoutedCall, route: Route, provider: Provider) {
  try {
    return call.operation.native.address(provider, route.access, upstreamModel(call, route)) !== undefined
  } catch (error) {
    if (error instanceof VendorError) return true
    throw error
  }
}

/** Beta features that a host of Claude turned out to lack, although Anthropic has them. */
const refusedBetas = new WeakMap<Route, Set<string>>()

const betasOf = ({ headers }: Call) => headers['anthropic-beta'] ?? ''

/** Not every host of a dialect supports all of it. */
function canPassUnchanged(call: Call, route: Route) {
  const { provider } = route
  if (provider === undefined || laneOf(call, route) !== 'pass' || call.operation.native.takes === undefined) return true
  if (isTooMuchFor(call, route)) return false
  return call.operation.native.takes(provider, call.body) && !refusedBetas.get(route)?.has(betasOf(call))
}

/** Such a call is translated without the betas: an answer is worth more than they are. */
function refusesBetas(call: Call, route: Route, error: unknown) {
  if (route.provider?.anthropic?.takes === undefined || call.operation.dialect === undefined) return false
  if (!(error instanceof VendorError) || error.failure.status !== 400) return false
  if (!/anthropic[-_]beta|beta flag|extra inputs are not permitted/i.test(error.failure.message)) return false
  const known = refusedBetas.get(route) ?? new Set()
  if (known.size < BETAS_MAX) refusedBetas.set(route, known.add(betasOf(call)))
  return true
}

/** They are arbitrary text from callers. */
const BETAS_MAX = 100

const LANES = { pass: passLane, convert: convertLane, adapter: adapterLane }

/** One attempt of a call at the given channel. Refusals are caught when another model answers what this one refuses. */
export const attemptFor =
  (call: Call, own: LaneNeeds, catchesRefusals = false) =>
  async (route: Route, signal: AbortSignal, deadline?: Deadline): Promise<Answer> => {
    const needs: LaneNeeds = catchesRefusals ? { ...own, refusals: { received: () => deadline?.extend() } } : own
    const lane = canPassUnchanged(call, route) ? (laneOf(call, route) ?? 'pass') : 'convert'
    if (lane === 'count') return countHere(call)
    const attempt = async (name: keyof typeof LANES) => {
      // What is passed through unchanged is not serialised.
      if (name !== 'pass' || route.rules !== undefined) refuseTooDeep(call.body)
      return attemptOnce(needs, route, LANES[name](call, needs), signal, deadline)
    }
    return attempt(lane).catch((error: unknown) => {
      if (lane !== 'pass') throw error
      if (wantsResponses(call, route, error) || refusesBetas(call, route, error)) return attempt('convert')
      const habit = refusedHabit(call, route, error)
      if (habit !== undefined) {
        return attempt('convert').then((answer) => {
          remember(habit, route)
          return answer
        })
      }
      if (!lacksResponses(call, route, error)) throw error
      withoutResponses.add(route)
      knownLanes.delete(route)
      found++
      return attempt('convert')
    })
  }

/** OpenAI accepts some chats only as responses, such as tools with an effort; its error says so. */
function wantsResponses(call: Call, route: Route, error: unknown) {
  if (call.operation.name !== 'chat/completions' || !(error instanceof VendorError)) return false
  const { status, message } = error.failure
  return status === 400 && message.includes('/v1/responses') && hasResponses(call, route)
}

/**
 * A server that speaks OpenAI's dialect may only know chats. A 404 of the path itself means that; an unknown response, item or
 * model does not.
 */
function lacksResponses(call: Call, route: Route, error: unknown) {
  const { provider, access, systemPrompt } = route
  if (call.operation.name !== 'responses' || systemPrompt !== '' || !(error instanceof VendorError)) return false
  if (provider?.openai?.url('chat/completions', access, upstreamModel(call, route)) === undefined) return false
  const { status, type, code, message } = error.failure
  if (status === 405) return true
  const unnamed = type === 'upstream_error' && !/model/i.test(message)
  return (
    status === 404 && (unnamed || code === 'unknown_url' || /\burl\b|endpoint|\broute\b|file not found/i.test(message))
  )
}

/** Tokens can be counted here for vendors that only chat. */
const offersChats = ({ provider, access }: Route) =>
  provider?.chat !== undefined || provider?.openai?.url('chat/completions', access, '') !== undefined

/** Our own estimate, which holds use as well. */
function countHere(call: Call): Answer {
  const body = call.operation.countBody?.(inputTokens(countInput(call)))
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  return { kind: 'complete', bytes, type: 'application/json', usage: NO_USAGE, ours: true }
}
