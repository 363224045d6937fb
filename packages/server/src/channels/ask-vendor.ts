import { type Access, type Encoded, failureOf, type UpstreamRequest, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import type { Clock } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import { upstreamText } from '../common/upstream-sentences.ts'
import type { Credentials } from '../upstream/credentials.ts'
import type { Http } from '../upstream/http.ts'
import { createMask, type Mask } from '../upstream/mask.ts'
import { withHeaderRules } from '../upstream/request-rules.ts'
import { vendorRefusal } from '../upstream/vendor-refusal.ts'

const TIMEOUT_MS = 15_000
/** A reseller's model list, with prices and descriptions, has several megabytes. */
const BODY_MAX_BYTES = 16 * 1024 * 1024

type Refusal = 'channel.balance_failed' | 'channel.models_failed'

interface Question<T> {
  /** The requests, sent one after the other with the current access. */
  requests(access: Access): readonly Encoded[]
  read(bodies: unknown[], access: Access): T
  refusal: Refusal
}

interface Needs {
  http: Http
  credentials: Credentials
  clock: Clock
}

/**
 * Queries a vendor's management API and reports why it failed. Such failures do not count against the channel: these
 * endpoints have permissions and limits of their own, and many keys that may chat may not use them.
 */
export const askVendor = async <T>(needs: Needs, route: Route, { requests, read, refusal }: Question<T>) => {
  try {
    return await needs.credentials.withAccess(route, async (access) => {
      const encoded = await Promise.all(requests(access))
      const mask = createMask(route.access, ...encoded)
      try {
        const bodies: unknown[] = []
        for (const request of encoded) bodies.push(parsed(await asked(needs, route, request, mask), refusal))
        return read(bodies, access)
      } catch (error) {
        throw mask.error(error)
      }
    })
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    throw new GatewayError(refusal, { reason: upstreamText(error.failure.message) })
  }
}

async function asked(
  { http, clock }: Needs,
  { provider, rules, network }: Route,
  request: UpstreamRequest,
  mask: Mask,
) {
  const { url, method, body } = request
  const headers = withHeaderRules(request.headers, rules)
  const answer = await http.text(url, {
    policy: 'admin',
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...network,
    timeoutMs: TIMEOUT_MS,
    maxBytes: BODY_MAX_BYTES,
  })
  const { status, text } = answer
  if (status < 400) return text
  if (provider === undefined) throw new VendorError(failureOf('server', `The upstream answered with status ${status}`))
  throw vendorRefusal(provider, { status, headers: answer.headers, body: mask.text(text) }, clock.now())
}

function parsed(text: string, refusal: Refusal): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayError(refusal, { reason: 'JSON' })
  }
}
