import type { Access, Encoded, Moment, TaskFollower, Usage } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { followTask } from '../upstream/follow-task.ts'
import type { Errand } from '../upstream/open.ts'
import { type Answer, upstreamModel } from './answer.ts'
import type { Call } from './call.ts'
import { embeddingSurface } from './embedding-surface.ts'
import type { LaneNeeds } from './lane-needs.ts'
import { pictureSurface } from './picture-surface.ts'
import { rerankSurface } from './rerank-surface.ts'

/** A call that is no chat, for vendors with a form of their own for it. */
export interface AdapterSurface {
  /** Whether the vendor offers it. */
  suits(call: Call, route: Route): boolean
  encode(call: Call, order: Order): Encoded | Promise<Encoded>
  /** Where the vendor's first answer is only a receipt. */
  task?(route: Route): TaskFollower | undefined
  /** The vendor's answer as the caller's dialect shows it. */
  show(call: Call, route: Route, body: unknown, needs: LaneNeeds): Shown | Promise<Shown>
}

export interface Order {
  route: Route
  access: Access
  moment: Moment
  /** The upstream's name of it. */
  model: string
}

export interface Shown {
  shown: unknown
  usage: Usage | undefined
}

const SURFACES: Record<string, AdapterSurface> = {
  embeddings: embeddingSurface,
  embedContent: embeddingSurface,
  batchEmbedContents: embeddingSurface,
  rerank: rerankSurface,
  'images/generations': pictureSurface,
  'images/edits': pictureSurface,
}

const encoder = new TextEncoder()

/** Whether a vendor with a dialect of its own offers the call under another form. */
export const hasAdapter = (call: Call, route: Route) => SURFACES[call.operation.name]?.suits(call, route) ?? false

/** The lane for vectors, rankings and pictures of vendors that have their own form for them. */
export const adapterLane = (call: Call, needs: LaneNeeds): Errand<Answer> => {
  const surface = SURFACES[call.operation.name]
  if (surface === undefined) throw new Error(`${call.operation.name} has no adapters`)
  return {
    async request(route) {
      const moment = { nowMs: needs.clock.now(), callId: needs.requestId }
      const access = await needs.accessOf(route)
      return surface.encode(call, { route, access, moment, model: upstreamModel(call, route) })
    },

    async accept(response, route, signal) {
      const body = await resultOf(response, route, signal)
      const { shown, usage } = await surface.show(call, route, body, needs)
      return { kind: 'whole', bytes: encoder.encode(JSON.stringify(shown)), type: 'application/json', usage }
    },
  }

  async function resultOf(response: Response, route: Route, signal: AbortSignal): Promise<unknown> {
    const follower = surface?.task?.(route)
    if (follower === undefined || route.provider === undefined) return response.json()
    const task = { follower, access: await needs.accessOf(route), provider: route.provider, stream: false }
    const outcome = await followTask(needs.http, task, response, signal)
    return 'body' in outcome ? outcome.body : outcome.stream.json()
  }
}
