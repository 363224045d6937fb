import { type UpstreamRequest, VendorError } from '@tollgate/providers'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { type Route, routeWithKey } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { startDeadline } from '../relay/timeouts/deadline.ts'
import type { Watchdog } from '../relay/timeouts/watchdog.ts'
import type { Mask } from '../upstream/mask.ts'
import { AllFailed, type AttemptNeeds, attemptOnce, type Deadline, failureIn } from '../upstream/open.ts'
import { type Reply, readBytes } from '../upstream/reply.ts'

/** Which channel has a file, a batch or a video, and which key of its pool. */
export interface Bound {
  channel_id: number
  channel_key_id: number | null
}

export interface VendorAsked {
  method: UpstreamRequest['method']
  /** `/batches/batch_1`. */
  path: string
  body?: string | FormData
  headers?: Record<string, string>
  /** It is a call of a model, which the channel may change like any other. */
  isCall?: true
}

/** What the vendor said, as text without the channel's secrets. */
export interface Told {
  text: string
  body: unknown
}

interface Needs extends AttemptNeeds {
  catalog: CatalogService
  watchdog: Watchdog
}

/** How long a vendor may take to take or tell something; what it works on is not waited for. */
const TIMEOUT_MS = 120_000
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
          const address = path.startsWith('/videos') ? provider?.videos : provider?.batches
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
      return { text, body: JSON.parse(text) }
    })

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
  }
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

class VendorRefused extends AllFailed {}

function toldAs(error: unknown, names: readonly Renamed[]): unknown {
  if (error instanceof GatewayError && !error.code.startsWith('outbound.')) return error
  const failure = failureIn(error)
  const told = { ...failure, message: renamed(failure.message, names) }
  const isNo = error instanceof VendorError && error.failure.status < 500
  return isNo ? new VendorRefused(told) : new AllFailed(told)
}
