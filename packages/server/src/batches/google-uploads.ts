import { timingSafeEqual } from 'node:crypto'
import { type Access, failureOf, isFields, NO_USAGE, type UpstreamRequest, VendorError } from '@tollgate/providers'
import { z } from 'zod'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Route } from '../catalog/snapshot.ts'
import { bodyRoom } from '../common/body-room.ts'
import { boundedBody } from '../common/bounded-body.ts'
import { type Clock, seconds } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { storableText } from '../common/storable-text.ts'
import type { Db } from '../database/client.ts'
import { untilAvailable } from '../database/until-available.ts'
import type { RelayCaller } from '../relay/caller/keys.ts'
import type { RateLimiting } from '../relay/rate-limits/rate-limits.ts'
import { sharedGroups } from '../relay/spent-budgets.ts'
import type { Health } from '../upstream/health.ts'
import type { KeyPools } from '../upstream/key-pools.ts'
import { readText } from '../upstream/reply.ts'
import { type FileRow, filesRepository, GOOGLE_PURPOSE } from './files-repository.ts'
import { type GoogleFile, googleFileOf, nameOf, unknownFile } from './google-file.ts'
import { googleFilesRepository } from './google-files-repository.ts'
import type { RefuseUncovered } from './refuse-uncovered.ts'
import { parsed } from './surface-request.ts'
import { isChannelRefusal, type VendorCall } from './vendor-call.ts'

interface Needs {
  db: Db
  catalog: CatalogService
  health: Health
  keyPools: KeyPools
  rateLimiting: RateLimiting
  refuseUncovered: RefuseUncovered
  vendorCall: VendorCall
  clock: Clock
}

/** Google's own limit of a file; and of all files of a user here, because an account of the operator's has 20 GB. */
const FILE_MAX = 2 * 1024 ** 3
const USER_MAX = 4 * 1024 ** 3
const CHANNELS_MAX = 5
const ANSWER_MAX = 64 * 1024

const Name = z.string().max(512).nullish()
const Metadata = z.looseObject({
  file: z.looseObject({ name: Name, displayName: Name, display_name: Name, mimeType: Name, mime_type: Name }).nullish(),
})

/** What a client is told of the progress of its upload. */
interface Progress {
  headers: Record<string, string>
  body: string
}

export type GoogleUploads = ReturnType<typeof createGoogleUploads>

/**
 * Uploads in Google's resumable protocol. The first request says what comes, and chooses the channel; the others bring the content,
 * which is passed on as it comes, and need no key, because their address is a secret.
 */
export const createGoogleUploads = (needs: Needs) => {
  const { catalog, health, keyPools, rateLimiting, refuseUncovered, vendorCall, clock } = needs
  const files = googleFilesRepository(needs.db)
  const repository = filesRepository(needs.db)

  /** Those of the caller's groups, in their order; where the last file is, so that a call can refer to both, comes first. */
  const channelsFor = async (caller: RelayCaller): Promise<Route[]> => {
    const last = await files.latest(caller.userId, seconds(clock))
    const own = last && vendorCall.routeOf(last)
    const isOwn = ({ id }: Route) => id === last?.channel_id
    const suits = (route: Route) =>
      route.status === 1 &&
      route.provider?.files !== undefined &&
      (caller.pinned === undefined ? sharedGroups(caller, route) !== undefined : caller.pinned === route.id) &&
      (caller.models === undefined || [...caller.models].some((model) => route.models.has(model)))
    const groupOf = (route: Route) => caller.groups.findIndex((group) => route.groups.has(group))
    return [...catalog.snapshot().routes.values()]
      .filter(suits)
      .sort(
        (one, other) =>
          Number(isOwn(other)) - Number(isOwn(one)) ||
          groupOf(one) - groupOf(other) ||
          other.priority - one.priority ||
          other.models.size - one.models.size ||
          one.id - other.id,
      )
      .slice(0, CHANNELS_MAX)
      .map((route) => (isOwn(route) && own !== undefined ? own : route))
  }

  /** With a key of its pool, if it has one. */
  const keyed = async (route: Route): Promise<Route | undefined> => {
    if (route.pool === undefined || route.poolKey !== undefined) return route
    const [model = ''] = route.models
    const lease = health.take(route.id, model)
    const taken = await keyPools.take({ route, lease }, { model, tokens: 0, tried: new Set() })
    lease.release()
    taken?.lease.release()
    return taken?.route
  }

  const begin = (route: Route, file: object, content: { size: string; type: string }) =>
    vendorCall.exchange(
      route,
      (access) => ({
        ...{ method: 'POST', url: route.provider?.files?.upload(access) ?? '', body: JSON.stringify({ file }) },
        headers: {
          ...keyOf(route, access),
          ...{ 'content-type': 'application/json', 'x-goog-upload-protocol': 'resumable' },
          ...{ 'x-goog-upload-command': 'start', 'x-goog-upload-header-content-length': content.size },
          'x-goog-upload-header-content-type': content.type,
        },
      }),
      async (reply) => {
        const url = reply.headers.get('x-goog-upload-url') ?? ''
        reply.cancel()
        if (!URL.canParse(url))
          throw new VendorError(failureOf('server', 'The upstream returned no address for the upload'))
        return { url, granularity: reply.headers.get('x-goog-upload-chunk-granularity') ?? undefined }
      },
    )

  const beginSomewhere = async (caller: RelayCaller, file: object, content: { size: string; type: string }) => {
    let refusal: unknown
    for (const choice of await channelsFor(caller)) {
      const route = await keyed(choice)
      if (route === undefined) continue
      try {
        return { route, ...(await begin(route, file, content)) }
      } catch (error) {
        refusal = error
        if (!isChannelRefusal(error)) break
      }
    }
    throw refusal ?? new GatewayError('relay.no_google_files')
  }

  return {
    /** Returns what the address of the upload has to contain. */
    async start(caller: RelayCaller, request: Request) {
      const content = announced(request)
      const text = await bodyRoom.receive(caller, request, () => boundedBody(request, ANSWER_MAX).text())
      const { file } = parsed(Metadata, jsonIn(text))
      if (file?.name) throw new GatewayError('relay.bad_body', { reason: 'file.name: files are named by the gateway' })
      const mimeType = file?.mimeType ?? file?.mime_type ?? content.type
      const displayName = file?.displayName ?? file?.display_name ?? undefined
      const pass = await rateLimiting.enter(caller, [], NO_USAGE)
      try {
        // A file is stored for nothing: whoever cannot pay for a call about it must not fill the vendor's storage.
        await refuseUncovered(caller, 1)
        const size = Number(content.size)
        if ((await files.bytesOf(caller.userId, seconds(clock))) + size > USER_MAX)
          throw new GatewayError('relay.google_files_full')
        const id = Bun.randomUUIDv7().replaceAll('-', '')
        const described = { name: nameOf(id), mimeType, ...(displayName !== undefined && { displayName }) }
        const { route, url, granularity } = await beginSomewhere(caller, described, { ...content, type: mimeType })
        const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')
        const stored: GoogleFile = { mimeType, upload: { url, secret } }
        const row: FileRow = {
          ...{ id, user_id: caller.userId, token_id: caller.tokenId, channel_id: route.id },
          ...{ channel_key_id: route.poolKey?.id ?? null, upstream_id: nameOf(id), purpose: GOOGLE_PURPOSE },
          ...{ filename: storableText(displayName ?? '', 200), bytes: size, plan: JSON.stringify(stored) },
          created_at: seconds(clock),
        }
        await untilAvailable(() => repository.insert(row))
        return { upload: `${id}.${secret}`, granularity }
      } finally {
        pass?.release()
      }
    },

    /** Passes a piece of the content on, or a question about the progress. */
    async proceed(upload: string, request: Request): Promise<Progress> {
      const [id = '', secret = ''] = upload.split('.', 2)
      const row = await files.findWithoutOwner(id, seconds(clock))
      const stored = row && googleFileOf(row)
      if (row === undefined || stored?.upload === undefined || !isSame(secret, stored.upload.secret))
        throw unknownFile(id)
      const { url } = stored.upload
      const route = vendorCall.routeOf(row)
      if (route === undefined) throw new GatewayError('relay.batch_channel_gone')
      const bytes = await bodyRoom.receive({ userId: row.user_id }, request, () => boundedBody(request).bytes())
      const offset = request.headers.get('x-goog-upload-offset')
      if (Number(offset ?? 0) + bytes.length > row.bytes)
        throw new GatewayError('relay.bad_body', { reason: 'X-Goog-Upload-Header-Content-Length' })
      const command = request.headers.get('x-goog-upload-command') ?? ''
      const headers = { 'x-goog-upload-command': command, ...(offset !== null && { 'x-goog-upload-offset': offset }) }
      const progress = await vendorCall.exchange(
        route,
        (access) => continuing(url, access, { headers: { ...keyOf(route, access), ...headers }, body: bytes }),
        async (reply, mask) => {
          const told = Object.fromEntries(PROGRESS.flatMap((name) => headerOf(reply.headers, name)))
          return { headers: told, body: mask.text((await readText(reply, ANSWER_MAX)) ?? '') }
        },
      )
      const status = progress.headers['x-goog-upload-status']
      if (status === 'cancelled') await repository.remove(id)
      if (status === 'final') {
        const answer = jsonIn(progress.body)
        const file = isFields(answer) && isFields(answer.file) ? answer.file : undefined
        if (file?.name !== nameOf(id))
          throw new VendorError(failureOf('server', 'The upstream stored the file under another name'))
        await untilAvailable(() => files.setPlan(id, JSON.stringify({ mimeType: stored.mimeType, file })))
      }
      return progress
    },
  }
}

const PROGRESS = ['x-goog-upload-status', 'x-goog-upload-size-received', 'x-goog-upload-chunk-granularity']

const headerOf = (headers: { get(name: string): string | null }, name: string): [string, string][] => {
  const value = headers.get(name)
  return value === null ? [] : [[name, value]]
}

const keyOf = ({ provider }: Route, access: Access) => provider?.batches?.headers(access) ?? {}

/** At the channel's own address, whatever host the vendor named: nobody else may direct the key anywhere. */
const continuing = (url: string, access: Access, sent: Pick<UpstreamRequest, 'headers' | 'body'>): UpstreamRequest => {
  const { origin, pathname, search } = new URL(url)
  const isOwn = origin === URL.parse(access.baseUrl)?.origin
  return { method: 'POST', url: isOwn ? url : `${access.baseUrl}${pathname}${search}`, ...sent }
}

/** What is going to be uploaded, by the headers of the first request. */
function announced({ headers }: Request) {
  const isResumable = headers.get('x-goog-upload-protocol') === 'resumable'
  if (!isResumable || !/\bstart\b/.test(headers.get('x-goog-upload-command') ?? ''))
    throw new GatewayError('relay.google_upload')
  const size = headers.get('x-goog-upload-header-content-length') ?? ''
  if (!/^\d{1,12}$/.test(size) || Number(size) > FILE_MAX)
    throw new GatewayError('relay.bad_body', { reason: 'X-Goog-Upload-Header-Content-Length' })
  const type = storableText(headers.get('x-goog-upload-header-content-type') ?? 'application/octet-stream', 200)
  return { size, type }
}

function jsonIn(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    throw new GatewayError('relay.bad_body', { reason: 'JSON' })
  }
}

function isSame(one: string, other: string) {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
