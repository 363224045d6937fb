import { z } from 'zod'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { GatewayError } from '../common/errors.ts'
import type { OptionsService } from '../options/options-service.ts'
import { type Keys, presentedKey } from '../relay/caller/keys.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { pathText } from '../relay/surfaces/operations.ts'
import { relayHeaders } from '../relay/surfaces/render-error.ts'
import type { Mask } from '../upstream/mask.ts'
import { maskedBody } from '../upstream/masked-body.ts'
import type { Reply } from '../upstream/reply.ts'
import { type Answers, type Asked, jsonOf, queryOf } from './asked.ts'
import type { BatchesService } from './batches-service.ts'
import type { FilesService } from './files-service.ts'
import { shownBatch, shownFile, shownMessageBatch, shownPage } from './shown.ts'
import type { VideosService } from './videos-service.ts'
import { videoAnswers } from './videos-surface.ts'

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

const QUIET_SEC = 120

/** What callers ask of files, batches and videos, by path and method. */
export const createBatchSurface = ({ keys, catalog, options, files, batches, videos }: Needs) => {
  /** Anthropic's clients fetch the results from where the batch says that they are. */
  const placeOf = ({ request }: Asked) => options.values().ServerAddress || new URL(request.url).origin

  const ANSWERS: Answers = {
    ...videoAnswers(videos),
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
        shownBatch(await batches.create(caller, context, await jsonOf(request))),
      async GET({ caller, request }) {
        const page = await batches.list(caller, 'openai', { order: 'desc', ...queryOf(BatchesQuery, request) })
        return shownPage(page, shownBatch, 'openai')
      },
    },
    'batches one': { GET: async ({ caller, id }) => shownBatch(await batches.get(caller, 'openai', id)) },
    'batches cancel': { POST: async ({ caller, id }) => shownBatch(await batches.cancel(caller, 'openai', id)) },
    'message batches': {
      async POST(asked) {
        const { caller, request, context } = asked
        const row = await batches.createMessages(caller, context, await jsonOf(request), forwarded(request))
        return shownMessageBatch(row, placeOf(asked))
      },
      async GET(asked) {
        const { after_id: after, before_id: before, limit } = queryOf(MessagesQuery, asked.request)
        const page = await batches.list(asked.caller, 'anthropic', { limit, order: 'desc', after, before })
        return shownPage(page, (row) => shownMessageBatch(row, placeOf(asked)), 'anthropic')
      },
    },
    'message batches one': {
      GET: async (asked) => shownMessageBatch(await batches.get(asked.caller, 'anthropic', asked.id), placeOf(asked)),
      async DELETE({ caller, id }) {
        await batches.remove(caller, id)
        return { id, type: 'message_batch_deleted' }
      },
    },
    'message batches cancel': {
      POST: async (asked) =>
        shownMessageBatch(await batches.cancel(asked.caller, 'anthropic', asked.id), placeOf(asked)),
    },
    'message batches results': {
      GET: async ({ caller, id, request, context }) =>
        streamed(await batches.results(caller, id, request.signal), context, 'anthropic'),
    },
  }

  /** Undefined for a path that is none of these. */
  return async (request: Request, context: RequestContext, path: string): Promise<Response | undefined> => {
    const found = targetOf(path)
    // Anthropic has files of its own at the same path, which are not taken here.
    if (found === undefined || (/^(?:files|batches)/.test(found.name) && request.headers.has('anthropic-version')))
      return undefined
    const answers = ANSWERS[found.name] ?? {}
    const answer = answers[request.method]
    if (answer === undefined) {
      const allowed = Object.keys(answers).join(', ')
      throw new GatewayError('relay.wrong_method', { method: request.method, path, allowed })
    }
    const stale = catalog.stale()
    if (stale !== undefined) await stale
    const caller = await keys.authenticate(presentedKey(request), context)
    context.setIdleTimeout(0)
    const answered = await answer({ caller, request, context, id: found.id })
    context.setIdleTimeout(QUIET_SEC)
    if (answered instanceof Response) return answered
    const family = found.name.startsWith('message') ? 'anthropic' : 'openai'
    return Response.json(answered, { headers: relayHeaders(context.requestId, family) })
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

/** By which Anthropic's clients choose versions and previews. */
function forwarded({ headers }: Request) {
  const named = ['anthropic-version', 'anthropic-beta'].flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries(named)
}

const streamed = (
  { reply, mask }: { reply: Reply; mask: Mask },
  { requestId }: RequestContext,
  family: 'openai' | 'anthropic',
) =>
  new Response(maskedBody(reply, mask), {
    headers: { ...relayHeaders(requestId, family), 'content-type': 'application/x-jsonl' },
  })
