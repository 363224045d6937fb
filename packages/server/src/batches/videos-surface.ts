import { z } from 'zod'
import { relayHeaders } from '../relay/surfaces/render-error.ts'
import { maskedBody } from '../upstream/masked-body.ts'
import { shownPage } from './shown.ts'
import { shownVideo } from './shown-video.ts'
import { type Handlers, jsonOf, queryOf } from './surface-request.ts'
import type { VideosService } from './videos-service.ts'

const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.string().max(200).optional(),
})

const ContentQuery = z.object({ variant: z.enum(['video', 'thumbnail', 'spritesheet']).default('video') })

/** The endpoints of videos, in OpenAI's format. */
export const videoHandlers = (videos: VideosService): Handlers => ({
  videos: {
    POST: async ({ caller, request, context }) => shownVideo(await videos.create(caller, context, request)),
    GET: async ({ caller, request }) =>
      shownPage(await videos.list(caller, queryOf(ListQuery, request)), shownVideo, 'openai'),
  },
  'videos one': {
    GET: async ({ caller, id }) => shownVideo(await videos.get(caller, id)),
    async DELETE({ caller, id }) {
      await videos.remove(caller, id)
      return { id, object: 'video.deleted', deleted: true }
    },
  },
  'videos remix': {
    POST: async ({ caller, id, request, context }) =>
      shownVideo(await videos.remix(caller, context, id, await jsonOf(caller, request))),
  },
  'videos content': {
    async GET({ caller, id, request, context }) {
      const { variant } = queryOf(ContentQuery, request)
      const { reply, mask } = await videos.content(caller, id, variant, request.signal)
      const contentType = reply.headers.get('content-type') ?? ''
      return new Response(maskedBody(reply, mask), {
        headers: {
          ...relayHeaders(context.requestId, 'openai'),
          // A browser must not open any other type that the vendor claims.
          'content-type': /^(?:video|image)\/(?!svg)[\w.+-]+$/.test(contentType)
            ? contentType
            : 'application/octet-stream',
        },
      })
    },
  },
})
