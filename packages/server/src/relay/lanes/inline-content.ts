import { type ChatRequest, failureOf, isStoredFile, type UserContent, VendorError } from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import type { AddressPolicy } from '../../upstream/addresses.ts'
import type { Http } from '../../upstream/http.ts'
import { piecesOf } from '../../upstream/reply.ts'

const BYTES_MAX = 20 * 1024 * 1024
/** Per call, for all of its content together. */
const PLACES_MAX = 100
const ALL_BYTES_MAX = 64 * 1024 * 1024
/** For all of it: a host that trickles is dropped like one that never answers. */
const TIMEOUT_MS = 10_000

interface Fetching {
  policy?: AddressPolicy
  room?: Room
  timeoutMs?: number
}

/** The remaining fetch budget of a call. */
interface Room {
  bytes: number
}

/** Some vendors take images only as bytes. Those given by URL are fetched, through the guard. */
export const inlineContent = async (
  request: ChatRequest,
  kinds: readonly ('image' | 'file')[],
  http: Http,
): Promise<ChatRequest> => {
  if (kinds.length === 0) return request
  const places = request.messages.flatMap(({ role, content }) =>
    role === 'user' ? content.filter(isPlace(kinds)) : [],
  )
  if (places.length === 0) return request
  if (places.length > PLACES_MAX)
    throw new VendorError(failureOf('client', `More than ${PLACES_MAX} addresses to fetch`))
  const room: Room = { bytes: ALL_BYTES_MAX }
  const messages = await Promise.all(
    request.messages.map(async (message) => {
      if (message.role !== 'user') return message
      return {
        ...message,
        content: await Promise.all(message.content.map((part) => inlinePart(part, kinds, http, room))),
      }
    }),
  )
  return { ...request, messages }
}

type Place = Extract<UserContent, { type: 'image' | 'file' }> & { source: { url: string } }

const isPlace =
  (kinds: readonly string[]) =>
  (part: UserContent): part is Place =>
    (part.type === 'image' || part.type === 'file') &&
    kinds.includes(part.type) &&
    'url' in part.source &&
    !isStoredFile(part.source.url)

async function inlinePart(part: UserContent, kinds: readonly string[], http: Http, room: Room): Promise<UserContent> {
  if (!isPlace(kinds)(part)) return part
  return { ...part, source: await fetchContent(part.source.url, http, { room }) }
}

/**
 * The content of a URL. URLs from users or vendors' answers may lead to public hosts only, without redirects, and within the size
 * limit.
 */
export async function fetchContent(
  url: string,
  http: Http,
  { policy = 'user', room = { bytes: BYTES_MAX }, timeoutMs = TIMEOUT_MS }: Fetching = {},
) {
  try {
    const reply = await http.request(url, { policy, signal: AbortSignal.timeout(timeoutMs), timeoutMs: false })
    const type = reply.headers.get('content-type')?.split(';')[0] ?? ''
    if (!reply.ok || !TYPES.test(type)) {
      reply.cancel()
      throw unreachable(url)
    }
    const pieces: Uint8Array[] = []
    let size = 0
    // Leaving the loop early cancels the rest.
    for await (const piece of piecesOf(reply)) {
      size += piece.byteLength
      room.bytes -= piece.byteLength
      if (size > BYTES_MAX || room.bytes < 0) throw unreachable(url)
      pieces.push(piece)
    }
    return { mimeType: type, base64: Buffer.concat(pieces).toString('base64') }
  } catch {
    throw unreachable(url)
  }
}

const TYPES = /^(image\/|audio\/|application\/pdf|text\/)/i

/** The channel's own host was set by an administrator; any other host in an answer is untrusted. */
export const isChannelHost = (url: string, { access: { baseUrl } }: Route) =>
  URL.canParse(url) && URL.canParse(baseUrl) && new URL(url).origin === new URL(baseUrl).origin

function unreachable(url: string) {
  const host = URL.canParse(url) ? new URL(url).host : url.slice(0, 64)
  return new VendorError(failureOf('client', `The content at ${host} cannot be fetched`, { status: 400 }))
}
