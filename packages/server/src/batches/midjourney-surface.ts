import { isFields, isMjSubmissionKind, mjSubmissionOf } from '@tollgate/providers'
import { z } from 'zod'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { GatewayError } from '../common/errors.ts'
import type { OptionsService } from '../options/options-service.ts'
import { type Keys, presentedKey } from '../relay/caller/keys.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { relayHeaders } from '../relay/surfaces/render-error.ts'
import { unknownPath } from '../relay/surfaces/unknown-path.ts'
import { maskedBody } from '../upstream/masked-body.ts'
import type { MidjourneyService } from './midjourney-service.ts'
import { existing, shownRefusal, shownSubmission, shownTask } from './shown-task.ts'
import { jsonOf, parsed } from './surface-request.ts'
import { VendorRefused } from './vendor-call.ts'

interface Needs {
  keys: Keys
  catalog: CatalogService
  options: OptionsService
  midjourney: MidjourneyService
}

const PATH =
  /^(\/mj-(?:fast|relax|turbo))?(\/mj\/(?:submit\/([\w-]{1,40})|task\/(?:(list-by-condition)|([^/]{1,200})\/fetch)|image\/([^/]{1,200})))$/

const Listed = z.object({ ids: z.array(z.string().max(200)).max(100) })

const IDLE_TIMEOUT_SEC = 120

/** The endpoints of Midjourney tasks, in the protocol of midjourney-proxy. */
export const createMidjourneySurface = ({ keys, catalog, options, midjourney }: Needs) => {
  const baseUrlOf = ({ url }: Request) => options.values().ServerAddress || new URL(url).origin

  const authenticate = (request: Request, context: RequestContext) =>
    keys.authenticate(presentedKey(request)?.replace(/^Bearer\s+/i, ''), context)

  const submit = async (request: Request, context: RequestContext, kind: string, path: string) => {
    if (!isMjSubmissionKind(kind)) throw unknownPath(request, path)
    const caller = await authenticate(request, context)
    const submission = parsed(mjSubmissionOf(kind), await jsonOf(caller, request))
    try {
      const task = await midjourney.submit({ caller, context, submission, path })
      return 'repeated' in task
        ? existing(task.repeated, baseUrlOf(request))
        : shownSubmission(task, baseUrlOf(request))
    } catch (error) {
      // Clients know the server's own error codes.
      const answer = error instanceof VendorRefused ? error.answer?.body : undefined
      if (!isFields(answer)) throw error
      return shownRefusal(answer)
    }
  }

  const image = async (request: Request, context: RequestContext, id: string) => {
    const view = new URL(request.url).searchParams.get('view')
    const who = view === null ? { caller: await authenticate(request, context) } : { view }
    const { reply, mask } = await midjourney.image(who, id, request.signal)
    const contentType = reply.headers.get('content-type') ?? ''
    return new Response(maskedBody(reply, mask), {
      headers: {
        ...relayHeaders(context.requestId),
        // A browser must not open any other type that the server claims.
        'content-type': /^image\/(?!svg)[\w.+-]+$/.test(contentType) ? contentType : 'application/octet-stream',
      },
    })
  }

  const answer = async (request: Request, context: RequestContext, found: RegExpExecArray): Promise<object> => {
    const [, speed = '', path = '', submission, list, task, imageId] = found
    if (submission !== undefined) return submit(request, context, submission, speed + path)
    if (imageId !== undefined) return image(request, context, imageId)
    const caller = await authenticate(request, context)
    if (list !== undefined) {
      const { ids } = parsed(Listed, await jsonOf(caller, request))
      return (await midjourney.list(caller, ids)).map((row) => shownTask(row, baseUrlOf(request)))
    }
    return shownTask(await midjourney.get(caller, task ?? ''), baseUrlOf(request))
  }

  /** Undefined for any other path. */
  return async (request: Request, context: RequestContext, path: string): Promise<Response | undefined> => {
    const found = PATH.exec(path)
    if (found === null) return undefined
    const allowed = found[3] === undefined && found[4] === undefined ? 'GET' : 'POST'
    if (request.method !== allowed)
      throw new GatewayError('relay.wrong_method', { method: request.method, path, allowed })
    const stale = catalog.stale()
    if (stale !== undefined) await stale
    context.setIdleTimeout(0)
    const result = await answer(request, context, found)
    context.setIdleTimeout(IDLE_TIMEOUT_SEC)
    return result instanceof Response ? result : Response.json(result, { headers: relayHeaders(context.requestId) })
  }
}
