import { z } from 'zod'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Keys } from '../relay/caller/keys.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { familyAt } from '../relay/surfaces/api-family.ts'
import { forwardedHeaders } from '../relay/surfaces/forwarded-headers.ts'
import { pathText } from '../relay/surfaces/operations.ts'
import { relayHeaders } from '../relay/surfaces/render-error.ts'
import type { Mask } from '../upstream/mask.ts'
import { maskedBody } from '../upstream/masked-body.ts'
import type { Reply } from '../upstream/reply.ts'
import { BATCH_STRINGS_MAX } from './batch-lines.ts'
import type { BatchesService } from './batches-service.ts'
import type { FilesService } from './files-service.ts'
import { shownBatch, shownFile, shownMessageBatch, shownPage } from './shown.ts'
import { answered, type Handlers, jsonOf, queryOf, type SurfaceRequest } from './surface-request.ts'
import type { VideosService } from './videos-service.ts'
import { videoHandlers } from './videos-surface.ts'

interface Needs {
  keys: Keys
  catalog: CatalogService
  options: OptionsService
  files: FilesService
  batches: BatchesService
  videos: VideosService
}

const PATHS = [
  { name: 'files', path: /^\/v1\/files(?:\/([^/]{1,200})(?:\/(content))?)?$/ },
  { name: 'batches', path: /^\/v1\/batches(?:\/([^/]{1,200})(?:\/(cancel))?)?$/ },
  { name: 'videos', path: /^\/v1\/videos(?:\/([^/]{1,200})(?:\/(content|remix))?)?$/ },
  { name: 'message batches', path: /^\/v1\/messages\/batches(?:\/([^/]{1,200})(?:\/(cancel|results))?)?$/ },
] as const

/** The endpoints of files, batches and videos. */
export const createBatchSurface = ({ keys, catalog, options, files, batches, videos }: Needs) => {
  /** Anthropic's clients download results from the URL that the batch contains. */
  const baseUrlOf = ({ request }: SurfaceRequest) => options.values().ServerAddress || new URL(request.url).origin

  const HANDLERS: Handlers = {
    ...videoHandlers(videos),
    files: {
      POST: async ({ caller, request }) => shownFile(await files.create(caller, request)),
      async GET({ caller, request }) {
        const { purpose, ...paged } = queryOf(FilesQuery, request)
        return shownPage(await files.list(caller, purpose, paged), shownFile, 'openai')
      },
    },
    'files one': {
      GET: async ({ caller, id }) => shownFile(await files.find(caller, id)),
      async DELETE({ caller, id }) {
        await files.remove(caller, id)
        return { id, object: 'file', deleted: true }
      },
    },
    'files content': {
      GET: async ({ caller, id, request, context }) =>
        streamed(await files.content(caller, id, request.signal), context, 'openai'),
    },
    batches: {
      POST: async ({ caller, request, context }) =>
        shownBatch(await batches.create(caller, context, await jsonOf(caller, request))),
      async GET({ caller, request }) {
        const page = await batches.list(caller, 'openai', { order: 'desc', ...queryOf(BatchesQuery, request) })
        return shownPage(page, shownBatch, 'openai')
      },
    },
    'batches one': { GET: async ({ caller, id }) => shownBatch(await batches.get(caller, 'openai', id)) },
    'batches cancel': { POST: async ({ caller, id }) => shownBatch(await batches.cancel(caller, 'openai', id)) },
    'message batches': {
      async POST(received) {
        const { caller, request, context } = received
        const row = await batches.createMessages(
          caller,
          context,
          await jsonOf(caller, request, BATCH_STRINGS_MAX),
          forwarded(request),
        )
        return shownMessageBatch(row, baseUrlOf(received))
      },
      async GET(received) {
        const { after_id: after, before_id: before, limit } = queryOf(MessagesQuery, received.request)
        const page = await batches.list(received.caller, 'anthropic', { limit, order: 'desc', after, before })
        return shownPage(page, (row) => shownMessageBatch(row, baseUrlOf(received)), 'anthropic')
      },
    },
    'message batches one': {
      GET: async (received) =>
        shownMessageBatch(await batches.get(received.caller, 'anthropic', received.id), baseUrlOf(received)),
      async DELETE({ caller, id }) {
        await batches.remove(caller, 'anthropic', id)
        return { id, type: 'message_batch_deleted' }
      },
    },
    'message batches cancel': {
      POST: async (received) =>
        shownMessageBatch(await batches.cancel(received.caller, 'anthropic', received.id), baseUrlOf(received)),
    },
    'message batches results': {
      GET: async ({ caller, id, request, context }) =>
        streamed(await batches.results(caller, id, request.signal), context, 'anthropic'),
    },
  }

  /** Undefined for any other path. */
  return async (request: Request, context: RequestContext, path: string): Promise<Response | undefined> => {
    const found = targetOf(path)
    // Anthropic's and Google's APIs have the same paths.
    if (found === undefined || (/^(?:files|batches)/.test(found.name) && familyAt(path, request) !== 'openai'))
      return undefined
    const received = { request, context, path, id: found.id }
    const answer = await answered({ keys, catalog }, HANDLERS[found.name] ?? {}, received)
    if (answer instanceof Response) return answer
    const family = found.name.startsWith('message') ? 'anthropic' : 'openai'
    return Response.json(answer, { headers: relayHeaders(context.requestId, family) })
  }
}

function targetOf(path: string) {
  for (const { name, path: shape } of PATHS) {
    const found = shape.exec(path)
    if (found === null) continue
    const [, encoded, part] = found
    if (encoded === undefined) return { name, id: '' }
    return { name: `${name} ${part ?? 'one'}`, id: pathText(encoded) ?? '' }
  }
  return undefined
}

const FilesQuery = z.object({
  purpose: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.string().max(200).optional(),
})

const BatchesQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  after: z.string().max(200).optional(),
})

const MessagesQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(20),
  after_id: z.string().max(200).optional(),
  before_id: z.string().max(200).optional(),
})

/** Headers that select API versions and beta features. */
const forwarded = ({ headers }: Request) => forwardedHeaders(headers, ['anthropic-version', 'anthropic-beta'])

const streamed = (
  { reply, mask }: { reply: Reply; mask: Mask },
  { requestId }: RequestContext,
  family: 'openai' | 'anthropic',
) =>
  new Response(maskedBody(reply, mask), {
    headers: { ...relayHeaders(requestId, family), 'content-type': 'application/x-jsonl' },
  })
