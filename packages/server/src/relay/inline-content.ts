import { type ChatRequest, failureOf, type UserContent, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { AddressPolicy } from '../upstream/addresses.ts'
import type { Http } from '../upstream/http.ts'
import { readUpTo } from '../upstream/reply.ts'

const BYTES_MAX = 20 * 1024 * 1024
const TIMEOUT_MS = 10_000

/** Some vendors take pictures only as bytes. Those that a client gave by address are fetched, through the guard. */
export const inlined = async (
  request: ChatRequest,
  kinds: readonly ('image' | 'file')[],
  http: Http,
): Promise<ChatRequest> => {
  if (kinds.length === 0) return request
  const messages = await Promise.all(
    request.messages.map(async (message) => {
      if (message.role !== 'user') return message
      return { ...message, content: await Promise.all(message.content.map((part) => inlinePart(part, kinds, http))) }
    }),
  )
  return { ...request, messages }
}

async function inlinePart(part: UserContent, kinds: readonly string[], http: Http): Promise<UserContent> {
  if ((part.type !== 'image' && part.type !== 'file') || !kinds.includes(part.type) || !('url' in part.source))
    return part
  return { ...part, source: await fetched(part.source.url, http) }
}

/**
 * What lies at an address. One that a user gave, or a vendor's answer, leads to public hosts only; no redirects, and not
 * more than we are ready to hold.
 */
export async function fetched(url: string, http: Http, policy: AddressPolicy = 'user') {
  const reply = await http.request(url, { policy, timeoutMs: TIMEOUT_MS }).catch(() => undefined)
  const type = reply?.headers.get('content-type')?.split(';')[0] ?? ''
  if (reply === undefined || !reply.ok || !/^(image\/|audio\/|application\/pdf|text\/)/.test(type)) {
    reply?.cancel()
    throw unreachable(url)
  }
  const bytes = await readUpTo(reply, BYTES_MAX)
  if (bytes === undefined) throw unreachable(url)
  return { mimeType: type, base64: Buffer.from(bytes).toString('base64') }
}

/** A place of the channel's own was set by an administrator; any other that stands in an answer came from outside. */
export const isOwnPlace = (url: string, { access: { baseUrl } }: Route) =>
  URL.canParse(url) && URL.canParse(baseUrl) && new URL(url).origin === new URL(baseUrl).origin

function unreachable(url: string) {
  const host = URL.canParse(url) ? new URL(url).host : url.slice(0, 64)
  return new VendorError(failureOf('client', `The content at ${host} cannot be fetched`, { status: 400 }))
}
