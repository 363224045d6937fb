import type { Access, Encoded, Moment, TaskFollower, Usage } from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import { followTask } from '../../upstream/follow-task.ts'
import type { Errand } from '../../upstream/open.ts'
import { type Reply, readJson } from '../../upstream/reply.ts'
import { type Answer, upstreamModel } from '../answer.ts'
import type { Call } from '../surfaces/call.ts'
import { speechSurface, transcriptionSurface } from './audio-adapter.ts'
import { embeddingSurface } from './embedding-adapter.ts'
import { pictureSurface } from './image-adapter.ts'
import type { LaneNeeds } from './lane-needs.ts'
import { rerankSurface } from './rerank-adapter.ts'

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

/** JSON, or bytes of a type. */
export type Shown = { usage: Usage | undefined } & (
  | { shown: unknown }
  | { bytes: Uint8Array<ArrayBuffer>; type: string }
)

const SURFACES: Record<string, AdapterSurface> = {
  embeddings: embeddingSurface,
  embedContent: embeddingSurface,
  batchEmbedContents: embeddingSurface,
  rerank: rerankSurface,
  'images/generations': pictureSurface,
  'images/edits': pictureSurface,
  'audio/speech': speechSurface,
  'audio/transcriptions': transcriptionSurface,
}

const encoder = new TextEncoder()

/** Whether a vendor with a dialect of its own offers the call under another form. */
export const hasAdapter = (call: Call, route: Route) => SURFACES[call.operation.name]?.suits(call, route) ?? false

/** The lane for vectors, rankings, pictures and sound of vendors that have their own form for them. */
export const adapterLane = (call: Call, needs: LaneNeeds): Errand<Answer> => {
  const surface = SURFACES[call.operation.name]
  if (surface === undefined) throw new Error(`${call.operation.name} has no adapters`)
  return {
    async request(route, access) {
      const moment = { nowMs: needs.clock.now(), callId: needs.requestId }
      return surface.encode(call, { route, access, moment, model: upstreamModel(call, route) })
    },

    async accept(reply, route, signal) {
      const body = await resultOf(reply, route, signal)
      const { usage, ...shown } = await surface.show(call, route, body, needs)
      if ('bytes' in shown) return { kind: 'whole', ...shown, usage }
      return { kind: 'whole', bytes: encoder.encode(JSON.stringify(shown.shown)), type: 'application/json', usage }
    },
  }

  async function resultOf(reply: Reply, route: Route, signal: AbortSignal): Promise<unknown> {
    const follower = surface?.task?.(route)
    if (follower === undefined || route.provider === undefined) return readJson(reply)
    const outcome = await followTask(needs, { follower, route, provider: route.provider, stream: false }, reply, signal)
    return 'body' in outcome ? outcome.body : readJson(outcome.stream)
  }
}
