import { z } from 'zod'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Keys } from '../relay/caller/keys.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { familyAt } from '../relay/surfaces/api-family.ts'
import { pathText } from '../relay/surfaces/operations.ts'
import { relayHeaders } from '../relay/surfaces/render-error.ts'
import { BATCH_STRINGS_MAX, type ContentAction } from './batch-lines.ts'
import type { GoogleBatches } from './google-batches.ts'
import { answered, type Handlers, jsonOf, queryOf } from './surface-request.ts'

interface Needs {
  keys: Keys
  catalog: CatalogService
  google: GoogleBatches
}

const PATHS = [
  { name: 'create', path: /^\/v1(?:beta)?\/models\/(.{1,256}):batchGenerateContent$/ },
  { name: 'createEmbeddings', path: /^\/v1(?:beta)?\/models\/(.{1,256}):asyncBatchEmbedContent$/ },
  { name: 'cancel', path: /^\/v1(?:beta)?\/batches\/([^/:]{1,200}):cancel$/ },
  { name: 'one', path: /^\/v1(?:beta)?\/batches\/([^/:]{1,200})$/ },
  { name: 'list', path: /^\/v1(?:beta)?\/batches$/ },
] as const

const Listed = z.object({
  pageSize: z.coerce.number().int().min(1).max(1000).default(50),
  pageToken: z.string().max(200).optional(),
})

/** The endpoints of batches for Google's clients. */
export const createGoogleBatchSurface = ({ keys, catalog, google }: Needs) => {
  const creation = (action: ContentAction): Handlers[string] => ({
    POST: async ({ caller, context, request, id: asked }) =>
      google.create(caller, context, { asked, action, value: await jsonOf(caller, request, BATCH_STRINGS_MAX) }),
  })
  const HANDLERS: Handlers = {
    create: creation('generateContent'),
    createEmbeddings: creation('embedContent'),
    cancel: { POST: ({ caller, id }) => google.cancel(caller, id) },
    one: {
      GET: ({ caller, id }) => google.get(caller, id),
      DELETE: ({ caller, id }) => google.remove(caller, id),
    },
    list: {
      GET({ caller, request }) {
        const { pageSize: limit, pageToken: after } = queryOf(Listed, request)
        return google.list(caller, { limit, after })
      },
    },
  }

  /** Undefined for any other path. */
  return async (request: Request, context: RequestContext, path: string): Promise<Response | undefined> => {
    const found = PATHS.find((one) => one.path.test(path))
    if (found === undefined || familyAt(path, request) !== 'google') return undefined
    const id = pathText(found.path.exec(path)?.[1] ?? '') ?? ''
    const answer = await answered({ keys, catalog }, HANDLERS[found.name] ?? {}, { request, context, path, id })
    return Response.json(answer, { headers: relayHeaders(context.requestId, 'google') })
  }
}
