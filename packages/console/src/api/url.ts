import type { EndpointShape } from '@tollgate/contract'

type Values = Record<string, unknown>

/** `/api/token/:id` with `{ id: 3 }` and a query → `/api/token/3?…`. Absent and empty values are left out of the query. */
export function endpointUrl(endpoint: EndpointShape, params: Values = {}, query: Values = {}) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, String(value)]),
  ).toString()
  return search === '' ? path : `${path}?${search}`
}
