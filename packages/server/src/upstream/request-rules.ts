import { applyBodyRules, headerName } from '@tollgate/contract'
import type { UpstreamRequest } from '@tollgate/providers'
import type { RequestRules } from '../catalog/snapshot.ts'

/** Applies a channel's rules as the last step before sending. Only JSON bodies are changed. */
export const withRules = (request: UpstreamRequest, rules: RequestRules | undefined): UpstreamRequest => {
  if (rules === undefined) return request
  const { body } = request
  const changesBody = typeof body === 'string' && rules.body.length > 0
  return {
    ...request,
    headers: withHeaderRules(request.headers, rules),
    ...(changesBody && { body: applyBodyRules(body, rules.body) }),
  }
}

/** Headers only, for requests other than model calls: lists, tokens, task polls. */
export const withHeaderRules = (headers: Record<string, string>, rules: RequestRules | undefined) => {
  if (rules === undefined || rules.headers.length === 0) return headers
  const named = new Set(rules.headers.map(({ name }) => headerName(name)))
  const kept = Object.entries(headers).filter(([name]) => !named.has(headerName(name)))
  const set = rules.headers.flatMap(({ name, action, value }) =>
    action === 'remove' || value === undefined ? [] : [[headerName(name), value]],
  )
  return Object.fromEntries([...kept, ...set])
}
