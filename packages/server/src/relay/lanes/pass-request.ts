import {
  type Access,
  failureOf,
  mayHaveForeignSignature,
  type UpstreamRequest,
  VendorError,
  withoutForeignSignatures,
} from '@tollgate/providers'
import type { Route } from '../../catalog/snapshot.ts'
import { upstreamModel } from '../answer.ts'
import { headersForVendor } from '../surfaces/agent-session.ts'
import type { Call } from '../surfaces/call.ts'
import { refuseTooDeep } from '../surfaces/nesting.ts'
import type { Address } from '../surfaces/operation.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** The caller's request for a vendor of the same dialect: only what the vendor cannot take is changed. */
export const passRequest = (
  call: Call,
  route: Route,
  access: Access,
  nowMs: number,
): UpstreamRequest | Promise<UpstreamRequest> => {
  const model = upstreamModel(call, route)
  const address = route.provider && call.operation.native.address(route.provider, access, model, call.stream)
  if (address === undefined) throw new VendorError(failureOf('client', 'This channel does not offer the call'))
  const { streamOptions } = address
  const sent = { ...(streamOptions === undefined ? {} : { streamOptions }), without: refusedMembers(call, route) }
  const body = amended(withoutOtherSignatures(call.upstreamBody(model, sent), call, route), call, address)
  const { url } = address
  const agent = call.agent && route.provider && headersForVendor(call.agent, call.operation.family, route.provider)
  const headers = { ...address.headers, ...call.headers, ...agent }
  // A form has a boundary of its own, which only the sender can name.
  const request = {
    method: 'POST' as const,
    url,
    body,
    headers: typeof body === 'string' ? { ...JSON_TYPE, ...headers } : headers,
  }
  return address.finish?.(request, nowMs) ?? request
}

/** Requested members that the vendor would refuse, or must not see: they are dropped and logged. */
export const refusedMembers = (call: Call, route: Route): readonly string[] => {
  const { provider } = route
  if (provider === undefined) return []
  const without = call.operation.native.without?.(provider, upstreamModel(call, route), call.body) ?? []
  const refused = without.filter((name) => name in call.body)
  return isUnstoppable(call) ? [...refused, 'background'] : refused
}

/** In the background a vendor completes, and bills, a streamed response whose client has long left and pays for less. */
const isUnstoppable = ({ operation, stream, body }: Call) =>
  stream && operation.name === 'responses' && body.background === true

/** Reasoning signed by another vendor's model is removed. */
const withoutOtherSignatures = (body: string | FormData, call: Call, { provider }: Route) => {
  const isConversation = (call.operation.dialect ?? call.operation.countBody) !== undefined
  const signer = call.operation.name === 'responses' ? provider?.openai?.signer : undefined
  if (typeof body !== 'string' || !isConversation || !mayHaveForeignSignature(body, signer)) return body
  refuseTooDeep(call.body)
  return JSON.stringify(withoutForeignSignatures(JSON.parse(body), signer))
}

const amended = (body: string | FormData, call: Call, { amend }: Address) => {
  if (typeof body !== 'string' || amend === undefined) return body
  refuseTooDeep(call.body)
  return amend(body)
}
