import type { Route } from '../../catalog/snapshot.ts'
import { followTask } from '../../upstream/follow-task.ts'
import type { UpstreamCall } from '../../upstream/open.ts'
import { type Reply, readJson } from '../../upstream/reply.ts'
import { type Answer, upstreamModel } from '../answer.ts'
import type { Call, RoutedCall } from '../surfaces/call.ts'
import { speechAdapter, transcriptionAdapter } from './audio-adapter.ts'
import { embeddingAdapter } from './embedding-adapter.ts'
import { imageAdapter } from './image-adapter.ts'
import type { LaneNeeds } from './lane-needs.ts'
import type { OperationAdapter } from './operation-adapter.ts'
import { rerankAdapter } from './rerank-adapter.ts'

const SURFACES = new Map<string, OperationAdapter>([
  ['embeddings', embeddingAdapter],
  ['embedContent', embeddingAdapter],
  ['batchEmbedContents', embeddingAdapter],
  ['rerank', rerankAdapter],
  ['images/generations', imageAdapter],
  ['images/edits', imageAdapter],
  ['audio/speech', speechAdapter],
  ['audio/transcriptions', transcriptionAdapter],
])

const encoder = new TextEncoder()

/** Whether a vendor with its own dialect supports the call in another format. */
export const hasAdapter = (call: RoutedCall, route: Route) =>
  SURFACES.get(call.operation.name)?.suits(call, route) ?? false

/** The lane for embeddings, rerank, images and audio of vendors with their own format. */
export const adapterLane = (call: Call, needs: LaneNeeds): UpstreamCall<Answer> => {
  const surface = SURFACES.get(call.operation.name)
  if (surface === undefined) throw new Error(`${call.operation.name} has no adapters`)
  return {
    async request(route, access) {
      const context = { nowMs: needs.clock.now(), callId: needs.requestId }
      return surface.encode(call, { route, access, context, model: upstreamModel(call, route) })
    },

    async accept(reply, route, signal) {
      const body = await resultOf(reply, route, signal)
      const { usage, ...shown } = await surface.show(call, route, body, needs)
      if ('bytes' in shown) return { kind: 'complete', ...shown, usage }
      return { kind: 'complete', bytes: encoder.encode(JSON.stringify(shown.shown)), type: 'application/json', usage }
    },
  }

  async function resultOf(reply: Reply, route: Route, signal: AbortSignal): Promise<unknown> {
    const follower = surface?.task?.(route)
    if (follower === undefined || route.provider === undefined) return readJson(reply)
    const outcome = await followTask(needs, { follower, route, provider: route.provider, stream: false }, reply, signal)
    return 'body' in outcome ? outcome.body : readJson(outcome.stream)
  }
}
