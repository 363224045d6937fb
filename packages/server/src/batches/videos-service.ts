import { NO_USAGE } from '@tollgate/providers'
import { z } from 'zod'
import type { Choice, Route } from '../catalog/snapshot.ts'
import { isSoldByVideo } from '../catalog/video-sizes.ts'
import { GatewayError } from '../common/errors.ts'
import { storableText } from '../common/storable-text.ts'
import { newId } from '../common/work-ids.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import { quoteForTask, quoteForVideo } from '../relay/meter/quote.ts'
import type { RequestContext } from '../relay/request-context.ts'
import type { BatchNeeds } from './batch-needs.ts'
import { type BatchRow, batchesRepository } from './batches-repository.ts'
import type { PageRequest } from './listed-page.ts'
import { type HeldPlan, type PlannedVideo, planOf } from './plan.ts'
import { parsed } from './surface-request.ts'
import { KINDS } from './vendor-batch.ts'
import { isRefused } from './vendor-call.ts'
import type { VendorRequest } from './vendor-request.ts'
import { readVideoRequest, refuseUnsold, type VideoRequest } from './video-request.ts'

interface NewVideo {
  route: Route
  group: string
  /** The model's name at the vendor, with its alias resolved, and as the caller sent it. */
  upstreamName: string
  model: string
  requestedModel: string
  video: PlannedVideo
  request: VendorRequest
}

const Remix = z.object({ prompt: z.string().min(1).max(32_000) })

export type VideosService = ReturnType<typeof createVideosService>

/** A video is a batch of one, priced by the second. Another user's video is reported as not found. */
export const createVideosService = (needs: BatchNeeds) => {
  const { db, options, rateLimiting, chooseChannel, startBatch, followBatch, vendorCall } = needs
  const repository = batchesRepository(db)

  const find = async ({ userId }: RelayCaller, id: string) => {
    const row = await repository.find({ id, userId })
    if (row?.kind !== 'video') throw new GatewayError('relay.video_unknown', { id: storableText(id, 200) })
    return row
  }

  const routeOf = (row: BatchRow) => {
    const route = vendorCall.routeOf(row)
    if (route === undefined) throw new GatewayError('relay.video_channel_gone')
    return route
  }

  const namesOf = ({ upstream_id, id }: BatchRow) => [[upstream_id, id] as const]

  /** The current state at the vendor; a settled video no longer changes. */
  const refreshed = async (row: BatchRow) => {
    if (row.settled_at !== null || row.upstream_id === '') return row
    const path = KINDS.video.path(row.upstream_id)
    await followBatch.update(row, await vendorCall.requestFor(routeOf(row), { method: 'GET', path }, namesOf(row)))
    return (await repository.find({ id: row.id, userId: row.user_id })) ?? row
  }

  const ended = async (caller: RelayCaller, id: string) => {
    const row = await refreshed(await find(caller, id))
    if (row.settled_at === null) throw new GatewayError('relay.video_running', { id })
    return row
  }

  const completed = async (caller: RelayCaller, id: string) => {
    const row = await ended(caller, id)
    if (row.status !== 'completed') throw new GatewayError('relay.video_failed', { id })
    return row
  }

  const make = async (caller: RelayCaller, context: RequestContext, newVideo: NewVideo) => {
    const { route, group, upstreamName, model, requestedModel, video, request } = newVideo
    refuseUnsold(upstreamName, video)
    const isPiece = isSoldByVideo(upstreamName)
    const used = isPiece ? { tasks: 1 } : { videoSeconds: video.seconds }
    const line = { key: '', model: upstreamName, asked: requestedModel, estimate: { ...NO_USAGE, ...used } }
    return startBatch(caller, context, {
      ...{ kind: 'video', id: newId('video_'), route, group, models: [model] },
      plan: { ...planOf('/v1/videos', [line]), video },
      priced(usual) {
        const quote = isPiece ? quoteForTask(usual) : quoteForVideo(usual, video.size)
        return { charged: quote, held: quote }
      },
      request,
    })
  }

  /** Tries channels until one accepts the video. Each refusal ends its hold at once and is a log entry. */
  const makeAnywhere = async (caller: RelayCaller, context: RequestContext, model: string, request: VideoRequest) => {
    const { model: requestedModel, prompt, seconds, size, body, spec } = request
    const takes = ({ provider, mapping }: Route) =>
      provider?.videos !== undefined || provider?.videoTasks?.makes(mapping.get(model) ?? model) === true
    const makeOn = async ({ route, group }: Choice) => {
      const upstreamName = route.mapping.get(model) ?? model
      return make(caller, context, {
        ...{ route, group, upstreamName, model, requestedModel, video: { prompt, seconds, size } },
        request: {
          ...{ method: 'POST', path: '/videos', isCall: true },
          ...(isTranslated(route) ? { video: await spec(upstreamName) } : { body: body(upstreamName) }),
        },
      })
    }
    const made = await chooseChannel.start({ caller, models: [model], takes }, makeOn, options.values().RetryTimes)
    if (made === undefined) throw new GatewayError('relay.no_videos', { model })
    return made
  }

  const limited = async <T>(caller: RelayCaller, model: string, work: () => Promise<T>) => {
    const pass = await rateLimiting.enter(caller, [model], NO_USAGE)
    try {
      return await work()
    } finally {
      pass?.release()
    }
  }

  return {
    async create(caller: RelayCaller, context: RequestContext, request: Request) {
      const video = await readVideoRequest(caller, request)
      const model = chooseChannel.modelFor(caller, video.model, 'openai')
      return limited(caller, model, () => makeAnywhere(caller, context, model, video))
    },

    async remix(caller: RelayCaller, context: RequestContext, id: string, value: unknown) {
      const { prompt } = parsed(Remix, value)
      const row = await completed(caller, id)
      const { models, video }: HeldPlan = JSON.parse(row.plan)
      const [planned] = models
      const route = routeOf(row)
      if (isTranslated(route)) throw new GatewayError('relay.video_no_remix', { model: planned?.asked ?? '' })
      if (route.status !== 1 || planned === undefined || video === undefined)
        throw new GatewayError('relay.video_channel_gone')
      const model = chooseChannel.modelFor(caller, planned.asked, 'openai')
      const remixed = await limited(caller, model, () =>
        chooseChannel.startOn(caller, route, (group) =>
          make(caller, context, {
            ...{ route, group, upstreamName: planned.model, model, requestedModel: planned.asked },
            video: { ...video, prompt, remixedFrom: row.id },
            request: {
              method: 'POST',
              path: `${KINDS.video.path(row.upstream_id)}/remix`,
              body: JSON.stringify({ prompt }),
            },
          }),
        ),
      )
      if (remixed === undefined) throw new GatewayError('relay.video_channel_gone')
      return remixed
    },

    list: ({ userId }: RelayCaller, paged: PageRequest) => repository.list(userId, 'video', paged),

    get: async (caller: RelayCaller, id: string) => refreshed(await find(caller, id)),

    /** The video is already settled, so any number of downloads is free. */
    async content(caller: RelayCaller, id: string, variant: string, client: AbortSignal) {
      const row = await completed(caller, id)
      const route = routeOf(row)
      const reader = { client, tokenId: caller.tokenId }
      if (isTranslated(route)) {
        if (variant !== 'video') throw new GatewayError('relay.video_variant', { variant })
        return vendorCall.downloadVideo(route, row.upstream_id, reader)
      }
      const path = `${KINDS.video.path(row.upstream_id)}/content?variant=${variant}`
      return vendorCall.download(route, path, reader)
    },

    async remove(caller: RelayCaller, id: string) {
      const row = await ended(caller, id)
      const route = vendorCall.routeOf(row)
      // A video that the vendor no longer has is removed here as well; translated vendors delete videos themselves.
      if (route !== undefined && !isTranslated(route) && row.upstream_id !== '')
        await vendorCall
          .requestFor(route, { method: 'DELETE', path: KINDS.video.path(row.upstream_id) }, namesOf(row))
          .catch((error) => {
            if (!isRefused(error)) throw error
          })
      await repository.remove(id)
    },
  }
}

/** Vendors with another API only create and return videos. */
const isTranslated = ({ provider }: Route) => provider?.videos === undefined
