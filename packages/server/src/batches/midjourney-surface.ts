import { isFields, isMjSubmissionKind, mjSubmissionOf } from '@tollgate/providers'
import { z } from 'zod'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { GatewayError } from '../common/errors.ts'
import type { OptionsService } from '../options/options-service.ts'
import { type Keys, presentedKey } from '../relay/caller/keys.ts'
import type { RequestContext } from '../relay/request-context.ts'
import { relayHeaders } from '../relay/surfaces/render-error.ts'
import { maskedBody } from '../upstream/masked-body.ts'
import { jsonOf, parsed } from './asked.ts'
import type { MidjourneyService } from './midjourney-service.ts'
import { existing, shownRefusal, shownSubmission, shownTask } from './shown-task.ts'
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

const QUIET_SEC = 120

/** What callers ask of Midjourney's tasks, in the words of midjourney-proxy. */
export const createMidjourneySurface = ({ keys, catalog, options, midjourney }: Needs) => {
  const placeOf = ({ url }: Request) => options.values().ServerAddress || new URL(url).origin

  const authenticate = (request: Request, context: RequestContext) =>
    keys.authenticate(presentedKey(request)?.replace(/^Bearer\s+/i, ''), context)

  const submit = async (request: Request, context: RequestContext, kind: string, path: string) => {
    if (!isMjSubmissionKind(kind)) throw new GatewayError('relay.not_found', { method: request.method, path })
    const caller = await authenticate(request, context)
    const submission = parsed(mjSubmissionOf(kind), await jsonOf(request))
    try {
      const made = await midjourney.submit({ caller, context, submission, path })
      return 'repeated' in made ? existing(made.repeated, placeOf(request)) : shownSubmission(made, placeOf(request))
    } catch (error) {
      // A server that says no does so in words that its clients know.
      const said = error instanceof VendorRefused ? error.told?.body : undefined
      if (!isFields(said)) throw error
      return shownRefusal(said)
    }
  }

  const picture = async (request: Request, context: RequestContext, id: string) => {
    const view = new URL(request.url).searchParams.get('view')
    const who = view === null ? { caller: await authenticate(request, context) } : { view }
    const { reply, mask } = await midjourney.picture(who, id, request.signal)
    const told = reply.headers.get('content-type') ?? ''
    return new Response(maskedBody(reply, mask), {
      headers: {
        ...relayHeaders(context.requestId),
        // What a server calls something else is not to be opened by a browser.
        'content-type': /^image\/(?!svg)[\w.+-]+$/.test(told) ? told : 'application/octet-stream',
      },
    })
  }

  const answer = async (request: Request, context: RequestContext, found: RegExpExecArray): Promise<object> => {
    const [, speed = '', path = '', submission, list, task, image] = found
    if (submission !== undefined) return submit(request, context, submission, speed + path)
    if (image !== undefined) return picture(request, context, image)
    const caller = await authenticate(request, context)
    if (list !== undefined) {
      const { ids } = parsed(Listed, await jsonOf(request))
      return (await midjourney.list(caller, ids)).map((row) => shownTask(row, placeOf(request)))
    }
    return shownTask(await midjourney.get(caller, task ?? ''), placeOf(request))
  }

  /** Undefined for a path that is none of these. */
  return async (request: Request, context: RequestContext, path: string): Promise<Response | undefined> => {
    const found = PATH.exec(path)
    if (found === null) return undefined
    const allowed = found[3] === undefined && found[4] === undefined ? 'GET' : 'POST'
    if (request.method !== allowed)
      throw new GatewayError('relay.wrong_method', { method: request.method, path, allowed })
    const stale = catalog.stale()
    if (stale !== undefined) await stale
    context.setIdleTimeout(0)
    const answered = await answer(request, context, found)
    context.setIdleTimeout(QUIET_SEC)
    return answered instanceof Response
      ? answered
      : Response.json(answered, { headers: relayHeaders(context.requestId) })
  }
}
