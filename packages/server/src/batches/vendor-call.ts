import {
  type Access,
  failureOf,
  type Provider,
  type UpstreamFailure,
  type UpstreamRequest,
  VendorError,
} from '@tollgate/providers'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { type Route, routeWithKey } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { startDeadline } from '../relay/timeouts/deadline.ts'
import type { Watchdog } from '../relay/timeouts/watchdog.ts'
import { createMask, type Mask } from '../upstream/mask.ts'
import { AllFailed, type AttemptNeeds, attemptOnce, type Deadline, failureIn } from '../upstream/open.ts'
import { type Reply, readBytes } from '../upstream/reply.ts'
import type { Told, VendorAsked } from './vendor-asked.ts'
import { toldOfVideo, translatorOf, videoRequest } from './video-translation.ts'

/** Which channel has a file, a batch or a video, and which key of its pool. */
export interface Bound {
  channel_id: number
  channel_key_id: number | null
}

interface Needs extends AttemptNeeds {
  catalog: CatalogService
  watchdog: Watchdog
}

/** How long a vendor may take to take or tell something; what it works on is not waited for. */
const TIMEOUT_MS = 120_000
/** Google answers a download with a redirect. */
const HOPS_MAX = 3
/** MiniMax names a file, and the file its address. */
const QUESTIONS_MAX = 3
const DOWNLOAD = { openingMs: TIMEOUT_MS, silenceMs: 60_000, totalMs: 3_600_000 }

export type VendorCall = ReturnType<typeof createVendorCall>

/** Asks the vendor that has a file or a batch, with the key under which it has it. */
export const createVendorCall = ({ catalog, watchdog, ...needs }: Needs) => {
  const send = <T>(
    bound: Route,
    asked: VendorAsked,
    accept: (reply: Reply, mask: Mask) => Promise<T>,
    deadline?: Deadline,
  ) =>
    attemptOnce(
      needs,
      asked.isCall ? bound : withoutBodyRules(bound),
      {
        request: ({ provider }, access) => {
          const { method, path, body, headers } = asked
          const tasks = translatorOf(provider, path)
          if (tasks !== undefined) return videoRequest(tasks, asked, access)
          const address = provider && addressOf(provider, path)
          if (address === undefined) throw new GatewayError('relay.batch_channel_gone')
          const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
          const sent = { ...type, ...address.headers(access), ...headers }
          return { method, url: address.url(path, access), headers: sent, ...(body !== undefined && { body }) }
        },
        accept: (reply, _route, _signal, mask) => accept(reply, mask),
      },
      deadline?.signal ?? AbortSignal.timeout(TIMEOUT_MS),
      deadline,
    )

  /** Where another key of the pool has to do, the vendor may still know it: keys of one account share what they have. */
  const routeOf = ({ channel_id, channel_key_id }: Bound): Route | undefined => {
    const route = catalog.snapshot().routes.get(channel_id)
    if (route?.pool === undefined) return route
    const { keys, spare } = route.pool
    const key = keys.find(({ id }) => id === channel_key_id) ?? keys[0] ?? spare
    return key && routeWithKey(route, key)
  }

  const ask = (route: Route, asked: VendorAsked): Promise<Told> =>
    send(route, asked, async (reply, mask) => {
      const text = mask.text(new TextDecoder().decode(await readBytes(reply)))
      const told = { text, body: JSON.parse(text) }
      const tasks = translatorOf(route.provider, asked.path)
      return tasks === undefined ? told : toldOfVideo(tasks, asked, told)
    })

  /** A question of the vendor's own kind, about what it has made. */
  const askDirectly = (route: Route, question: (access: Access) => UpstreamRequest): Promise<unknown> =>
    attemptOnce(
      needs,
      withoutBodyRules(route),
      {
        request: (_route, access) => question(access),
        accept: async (reply, _route, _signal, mask) =>
          JSON.parse(mask.text(new TextDecoder().decode(await readBytes(reply)))),
      },
      AbortSignal.timeout(TIMEOUT_MS),
    )

  /**
   * From an address that the vendor has named. Of private addresses only the vendor's own is taken: a server of an operator's may
   * keep its pictures itself, and nobody else's may choose what we ask in our network. Headers with the key go to it alone, too.
   */
  const downloadFrom = async (route: Route, url: string, client: AbortSignal, headers: Record<string, string> = {}) => {
    const deadline = startDeadline(watchdog, client, needs.clock.now(), DOWNLOAD)
    try {
      let place = url
      for (let hops = 0; hops <= HOPS_MAX; hops++) {
        const isOwn = URL.parse(place)?.origin === URL.parse(route.access.baseUrl)?.origin
        const reply = await needs.http.request(place, {
          ...{ policy: isOwn ? 'admin' : 'user', signal: deadline.signal, timeoutMs: false, ...route.network },
          // Where it leads to is somebody else, also at the same address.
          ...{ headers: isOwn && hops === 0 ? headers : {}, redirects: true },
        })
        if (reply.ok) return { reply: downloaded(reply, deadline), mask: createMask(route.access) }
        reply.cancel()
        const next = reply.status < 400 ? URL.parse(reply.headers.get('location') ?? '', place)?.href : undefined
        if (next === undefined) throw new VendorError(failureOf('server', `Its storage answered with ${reply.status}`))
        place = next
      }
      throw new VendorError(failureOf('server', 'Its storage answered with too many redirects'))
    } catch (error) {
      deadline.clear()
      throw toldAs(error, [])
    }
  }

  return {
    routeOf,
    ask,

    /** The same for a caller, who is told of a failure as of any call's. `names`: what the vendor calls by another name. */
    askFor: (route: Route, asked: VendorAsked, names: readonly Renamed[] = []) =>
      ask(route, asked).catch((error) => {
        throw toldAs(error, names)
      }),

    /** The answer piece by piece, for ourselves. */
    open: (route: Route, path: string) =>
      send(route, { method: 'GET', path }, async (reply, mask) => ({ reply, mask })).catch((error) => {
        throw toldAs(error, [])
      }),

    /** The same for a caller, who may take his time: it goes on for as long as pieces come. */
    async download(route: Route, path: string, client: AbortSignal) {
      const deadline = startDeadline(watchdog, client, needs.clock.now(), DOWNLOAD)
      const accept = async (reply: Reply, mask: Mask) => ({ reply: downloaded(reply, deadline), mask })
      return send(route, { method: 'GET', path }, accept, deadline).catch((error) => {
        deadline.clear()
        throw toldAs(error, [])
      })
    },

    downloadFrom,

    /** A video of a vendor with an API of its own, which is asked first where it is now: such addresses expire. */
    async downloadVideo(route: Route, id: string, client: AbortSignal) {
      const tasks = route.provider?.videoTasks
      if (tasks === undefined) throw new GatewayError('relay.video_channel_gone')
      let question = (access: Access) => tasks.retrieve(id, access)
      for (let asked = 0; asked < QUESTIONS_MAX; asked++) {
        const body = await askDirectly(route, question).catch((error) => {
          throw toldAs(error, [])
        })
        const found = await needs.credentials.withAccess(route, async (access) => tasks.content(body, access))
        if ('url' in found) return downloadFrom(route, found.url, client, found.headers)
        question = () => found.next
      }
      throw new GatewayError('relay.upstream_failed')
    },
  }
}

function addressOf(provider: Provider, path: string) {
  if (path.startsWith('/mj')) return provider.midjourney
  return path.startsWith('/videos') ? provider.videos : provider.batches
}

/** While the caller reads, the vendor's silence does not count. */
const downloaded = (reply: Reply, deadline: Deadline): Reply => ({
  ...{ status: reply.status, ok: reply.ok, headers: reply.headers },
  async read() {
    deadline.extend()
    const piece = await reply.read().catch((error) => {
      deadline.clear()
      throw error
    })
    if (piece === undefined) deadline.clear()
    else deadline.pause()
    return piece
  },
  cancel() {
    deadline.clear()
    reply.cancel()
  },
})

/** What is said of files and batches has no members that the channel's rules were made for. */
const withoutBodyRules = (route: Route): Route =>
  route.rules === undefined ? route : { ...route, rules: { ...route.rules, body: [] } }

/** The vendor's name of something, and ours. */
export type Renamed = readonly [theirs: string, ours: string]

export const renamed = (text: string, names: readonly Renamed[]) =>
  names.reduce((told, [theirs, ours]) => (theirs === '' ? told : told.replaceAll(theirs, ours)), text)

/** Whether the vendor has said no, so that nothing is being done. With a failure of the network nobody knows. */
export const isRefused = (error: unknown) =>
  error instanceof VendorRefused || (error instanceof GatewayError && error.code === 'relay.batch_channel_gone')

/** Whether another channel may take it: this one has said no, and not because of what was asked. */
export const isChannelRefusal = (error: unknown) => error instanceof VendorRefused && error.failure.blame !== 'request'

export class VendorRefused extends AllFailed {
  constructor(
    failure: UpstreamFailure,
    /** In the vendor's own words; undefined where its status said it. */
    readonly told?: Told,
  ) {
    super(failure)
  }
}

function toldAs(error: unknown, names: readonly Renamed[]): unknown {
  if (error instanceof GatewayError && !error.code.startsWith('outbound.')) return error
  const failure = failureIn(error)
  const told = { ...failure, message: renamed(failure.message, names) }
  const isNo = error instanceof VendorError && error.failure.status < 500
  return isNo ? new VendorRefused(told) : new AllFailed(told)
}
