import type { UpstreamRequest } from './upstream-request.ts'

/** A POST with a JSON body; undefined members are left out. */
export const postJson = (url: string, headers: Record<string, string>, body: unknown): UpstreamRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
