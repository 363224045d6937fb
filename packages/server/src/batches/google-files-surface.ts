import { z } from 'zod'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Keys } from '../relay/caller/keys.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { familyAt } from '../relay/surfaces/api-family.ts'
import { pathText } from '../relay/surfaces/operations.ts'
import { relayHeaders } from '../relay/surfaces/render-error.ts'
import type { GoogleFiles } from './google-files.ts'
import type { GoogleUploads } from './google-uploads.ts'
import { answered, type Handlers, queryOf } from './surface-request.ts'

interface Needs {
  keys: Keys
  catalog: CatalogService
  options: OptionsService
  files: GoogleFiles
  uploads: GoogleUploads
}

const UPLOAD = /^\/upload\/v1(?:beta)?\/files$/
const FILES = /^\/v1(?:beta)?\/files(?:\/([^/:]{1,200}))?$/

const Listed = z.object({
  pageSize: z.coerce.number().int().min(1).max(100).default(10),
  pageToken: z.string().max(200).optional(),
})

/** The endpoints of files for Google's clients. */
export const createGoogleFilesSurface = ({ keys, catalog, options, files, uploads }: Needs) => {
  const starting: Handlers[string] = {
    async POST({ caller, request, context }) {
      const { upload, granularity } = await uploads.start(caller, request)
      const { origin, pathname } = new URL(request.url)
      const query = new URLSearchParams({ upload_id: upload, upload_protocol: 'resumable' })
      return new Response('', {
        headers: {
          ...relayHeaders(context.requestId, 'google'),
          'x-goog-upload-status': 'active',
          'x-goog-upload-url': `${options.values().ServerAddress || origin}${pathname}?${query}`,
          ...(granularity !== undefined && { 'x-goog-upload-chunk-granularity': granularity }),
        },
      })
    },
  }
  const all: Handlers[string] = {
    GET({ caller, request }) {
      const { pageSize: limit, pageToken: after } = queryOf(Listed, request)
      return files.list(caller, { limit, order: 'desc', after })
    },
  }
  const one: Handlers[string] = {
    GET: ({ caller, id }) => files.get(caller, id),
    DELETE: ({ caller, id }) => files.remove(caller, id),
  }

  /** Undefined for any other path. */
  return async (request: Request, context: RequestContext, path: string): Promise<Response | undefined> => {
    const isUpload = UPLOAD.test(path)
    const found = FILES.exec(path)
    if (!isUpload && (found === null || familyAt(path, request) !== 'google')) return undefined
    const headers = relayHeaders(context.requestId, 'google')
    const upload = isUpload ? new URL(request.url).searchParams.get('upload_id') : null
    if (upload !== null) {
      context.setIdleTimeout(0)
      const progress = await uploads.proceed(upload, request)
      return new Response(progress.body, {
        headers: { ...headers, 'content-type': 'application/json', ...progress.headers },
      })
    }
    const id = pathText(found?.[1] ?? '') ?? ''
    const handlers = isUpload ? starting : found?.[1] === undefined ? all : one
    const answer = await answered({ keys, catalog }, handlers, { request, context, path, id })
    return answer instanceof Response ? answer : Response.json(answer, { headers })
  }
}
