import {
  type Access,
  failureOf,
  type PagedResults,
  type Provider,
  type UpstreamFailure,
  type UpstreamRequest,
  VendorError,
} from '@tollgate/providers'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { type Route, routeWithKey } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { isTooDeep } from '../common/too-deep.ts'
import { startDeadline } from '../relay/timeouts/deadline.ts'
import type { Watchdog } from '../relay/timeouts/watchdog.ts'
import { watchedReply } from '../relay/timeouts/watched-reply.ts'
import { createMask, type Mask } from '../upstream/mask.ts'
import { AllFailed, type AttemptNeeds, attemptOnce, type Deadline, failureIn } from '../upstream/open.ts'
import { asReply, type Reply, readBytes } from '../upstream/reply.ts'
import { batchAnswer } from './batch-translation.ts'
import { pagedReply } from './paged-results.ts'
import type { VendorAnswer, VendorRequest } from './vendor-request.ts'
import { translatorOf, videoAnswer, videoRequest } from './video-translation.ts'

/** The channel, and the key of its pool, to which a file, batch or video belongs. */
export interface ChannelBinding {
  channel_id: number
  channel_key_id: number | null
}

/** Who reads a download: it ends when the client disconnects, or the key is revoked. */
export interface Reader {
  client: AbortSignal
  /** Undefined if no key is needed. */
  tokenId?: number
}

interface Needs extends AttemptNeeds {
  catalog: CatalogService
  watchdog: Watchdog
}

/** For a request, not for the work itself. */
const TIMEOUT_MS = 120_000
/** Google answers a download with a redirect. */
const REDIRECTS_MAX = 3
/** MiniMax returns a file id, and the file its URL. */
const LOOKUPS_MAX = 3
const DOWNLOAD = { openingMs: TIMEOUT_MS, silenceMs: 60_000, totalMs: 3_600_000 }

export type VendorCall = ReturnType<typeof createVendorCall>

/** Sends requests about files, batches and videos to their vendor, with the key under which they were created. */
export const createVendorCall = ({ catalog, watchdog, ...needs }: Needs) => {
  const send = <T>(
    bound: Route,
    sent: VendorRequest,
    accept: (reply: Reply, mask: Mask) => Promise<T>,
    deadline?: Deadline,
  ) =>
    attemptOnce(
      needs,
      sent.isCall ? bound : withoutBodyRules(bound),
      {
        request: ({ provider }, access) => {
          const { method, path, body, headers } = sent
          const tasks = translatorOf(provider, path)
          if (tasks !== undefined) return videoRequest(tasks, sent, access)
          const address = provider && addressOf(provider, path)
          if (address === undefined) throw new GatewayError('relay.batch_channel_gone')
          const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
          const all = { ...type, ...address.headers(access), ...headers }
          return { method, url: address.url(path, access), headers: all, ...(body !== undefined && { body }) }
        },
        accept: (reply, _route, _signal, mask) => accept(reply, mask),
      },
      deadline?.signal ?? AbortSignal.timeout(TIMEOUT_MS),
      deadline,
    )

  /** If the key is gone, another key of the pool may work: keys of one account share its files and batches. */
  const routeOf = ({ channel_id, channel_key_id }: ChannelBinding): Route | undefined => {
    const route = catalog.snapshot().routes.get(channel_id)
    if (route?.pool === undefined) return route
    const { keys, spare } = route.pool
    const key = keys.find(({ id }) => id === channel_key_id) ?? keys[0] ?? spare
    return key && routeWithKey(route, key)
  }

  const request = (route: Route, sent: VendorRequest): Promise<VendorAnswer> =>
    send(route, sent, async (reply, mask) => {
      const text = mask.text(new TextDecoder().decode(await readBytes(reply)))
      const answer = { text, body: JSON.parse(text) }
      // It is stored, and serialised whenever it is shown.
      if (isTooDeep(answer.body)) throw new VendorError(failureOf('server', 'The answer has too many levels'))
      const tasks = translatorOf(route.provider, sent.path)
      return tasks === undefined ? batchAnswer(route.provider, sent, answer) : videoAnswer(tasks, sent, answer)
    })

  /** A request in the vendor's own API, without translation. */
  const sendDirectly = <T>(
    route: Route,
    build: (access: Access) => UpstreamRequest,
    accept: (reply: Reply, mask: Mask) => Promise<T>,
  ): Promise<T> =>
    attemptOnce(
      needs,
      withoutBodyRules(route),
      {
        request: (_route, access) => build(access),
        accept: (reply, _route, _signal, mask) => accept(reply, mask),
      },
      AbortSignal.timeout(TIMEOUT_MS),
    )

  const downloadDeadline = ({ client, ...reader }: Reader) =>
    startDeadline(watchdog, client, { ...reader, startedAt: needs.clock.now(), timeouts: DOWNLOAD })

  /**
   * Downloads from a URL that the vendor returned. A private address is allowed only if it is the channel's own: an operator's server
   * may store its images itself, but no one else may direct requests into our network. Headers with the key are sent only there, too.
   */
  const downloadFrom = async (route: Route, url: string, reader: Reader, headers: Record<string, string> = {}) => {
    const deadline = downloadDeadline(reader)
    try {
      let current = url
      for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
        const isOwn = URL.parse(current)?.origin === URL.parse(route.access.baseUrl)?.origin
        const reply = await needs.http.request(current, {
          ...{ policy: isOwn ? 'admin' : 'user', signal: deadline.signal, timeoutMs: false, ...route.network },
          // A redirect may lead to someone else, even at the same origin.
          ...{ headers: isOwn && redirects === 0 ? headers : {}, redirects: true },
        })
        if (reply.ok) return { reply: watchedReply(reply, deadline), mask: createMask(route.access) }
        reply.cancel()
        const next = reply.status < 400 ? URL.parse(reply.headers.get('location') ?? '', current)?.href : undefined
        if (next === undefined) throw new VendorError(failureOf('server', `The download answered with ${reply.status}`))
        current = next
      }
      throw new VendorError(failureOf('server', 'The download answered with too many redirects'))
    } catch (error) {
      deadline.clear()
      throw asCallerError(error, [])
    }
  }

  /** An unread answer, which may take long as long as chunks arrive. */
  const download = async (route: Route, path: string, reader: Reader) => {
    const deadline = downloadDeadline(reader)
    const accept = async (reply: Reply, mask: Mask) => ({ reply: watchedReply(reply, deadline), mask })
    return send(route, { method: 'GET', path }, accept, deadline).catch((error) => {
      deadline.clear()
      throw asCallerError(error, [])
    })
  }

  /** Results that the vendor has only in pages. */
  const downloadPages = async (route: Route, results: PagedResults, id: string, reader: Reader) => {
    const deadline = downloadDeadline(reader)
    const page = (path: string) =>
      send(route, { method: 'GET', path }, async (reply, mask) => readMasked(reply, mask), deadline)
    try {
      return { reply: watchedReply(await pagedReply(id, results, page), deadline), mask: createMask(route.access) }
    } catch (error) {
      deadline.clear()
      throw asCallerError(error, [])
    }
  }

  return {
    routeOf,
    request,

    /** The same for a caller: failures become relay errors, in which the vendor's ids are replaced by ours. */
    requestFor: (route: Route, sent: VendorRequest, names: readonly Renamed[] = []) =>
      request(route, sent).catch((error) => {
        throw asCallerError(error, names)
      }),

    /** A request in the vendor's own API whose answer is more than a body. */
    exchange: <T>(...sent: Parameters<typeof sendDirectly<T>>) =>
      sendDirectly(...sent).catch((error) => {
        throw asCallerError(error, [])
      }),

    download,

    downloadFrom,

    /** A file of the vendor: by its id, or by the URL that some vendors return instead, which needs no key. */
    downloadFile(route: Route, id: string, reader: Reader) {
      if (isUrl(id)) return downloadFrom(route, id, reader)
      const results = route.provider?.batches?.form?.results
      return results === undefined
        ? download(route, `/files/${id}/content`, reader)
        : downloadPages(route, results, id, reader)
    },

    /** Looks up the video's current URL first, because such URLs expire. */
    async downloadVideo(route: Route, id: string, reader: Reader) {
      const tasks = route.provider?.videoTasks
      if (tasks === undefined) throw new GatewayError('relay.video_channel_gone')
      let lookup = (access: Access) => tasks.retrieve(id, access)
      for (let lookups = 0; lookups < LOOKUPS_MAX; lookups++) {
        const body = await sendDirectly(route, lookup, readMasked).catch((error) => {
          throw asCallerError(error, [])
        })
        const found = await needs.credentials.withAccess(route, async (access) => tasks.content(body, access))
        if ('url' in found) return downloadFrom(route, found.url, reader, found.headers)
        if ('bytes' in found) {
          const response = new Response(found.bytes, { headers: { 'content-type': found.mimeType } })
          return { reply: asReply(response), mask: createMask(route.access) }
        }
        lookup = () => found.next
      }
      throw new GatewayError('relay.upstream_failed')
    },
  }
}

const readMasked = async (reply: Reply, mask: Mask): Promise<unknown> =>
  JSON.parse(mask.text(new TextDecoder().decode(await readBytes(reply))))

function addressOf({ midjourney, videos, batches }: Provider, path: string) {
  if (path.startsWith('/mj')) return midjourney
  if (path.startsWith('/videos')) return videos
  if (batches?.form?.path === undefined) return batches
  return { ...batches, url: (own: string, access: Access) => batches.url(batches.form?.path?.(own) ?? own, access) }
}

/** Body rules are meant for calls, not for requests about files and batches. */
const withoutBodyRules = (route: Route): Route =>
  route.rules === undefined ? route : { ...route, rules: { ...route.rules, body: [] } }

/** The vendor's id of something, and ours. */
export type Renamed = readonly [theirs: string, ours: string]

export const renamed = (text: string, names: readonly Renamed[]) =>
  names.reduce((result, [theirs, ours]) => (theirs === '' ? result : result.replaceAll(theirs, ours)), text)

/** Some vendors name a file by its URL. */
export const isUrl = (id: string) => /^https?:\/\/\S{1,2000}$/.test(id)

/** Whether the vendor definitely refused. After a network failure that is unknown. */
export const isRefused = (error: unknown) =>
  error instanceof VendorRefused || (error instanceof GatewayError && error.code === 'relay.batch_channel_gone')

/** Whether another channel may accept it: this one refused, but not because of the request. */
export const isChannelRefusal = (error: unknown) => error instanceof VendorRefused && error.failure.blame !== 'request'

export class VendorRefused extends AllFailed {
  constructor(
    failure: UpstreamFailure,
    /** Undefined if the refusal was an HTTP status. */
    readonly answer?: VendorAnswer,
  ) {
    super(failure)
  }
}

function asCallerError(error: unknown, names: readonly Renamed[]): unknown {
  if (error instanceof GatewayError && !error.code.startsWith('outbound.')) return error
  const failure = failureIn(error)
  const shown = { ...failure, message: renamed(failure.message, names) }
  const isRefusal = error instanceof VendorError && error.failure.status < 500
  return isRefusal ? new VendorRefused(shown) : new AllFailed(shown)
}
