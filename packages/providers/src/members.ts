import type { ChatRequest } from './chat.ts'
import type { Provider } from './provider.ts'
import { asksFor, refusal } from './unsupported.ts'
import type { Access } from './upstream-request.ts'

/*
 * Members of a caller's body that not every vendor knows. A vendor's adapter says which of them it carries; of the others, what
 * changes the answer is refused by its name, and the rest is left out and named in the log.
 */

/** Whom a request is sent to. */
interface Target {
  provider: Provider
  access: Access
}

/** The name under which an adapter says that it carries a search of the web. */
export const WEB_SEARCH = 'web_search'

/** Throws when the request has a member that changes the answer and that this vendor is not told of. */
export function refuseUncarried({ provider, access }: Target, request: ChatRequest): void {
  const carried = carriedBy({ provider, access }, request)
  const { webSearch } = request
  if (webSearch !== undefined && webSearch.optional !== true && !carriesSearch(carried)) {
    throw refusal(provider.name, webSearch.name, `This channel's model can not search the web: '${webSearch.name}'`)
  }
  const member = Object.keys(request.extra).find(
    (name) => ESSENTIAL.has(name) && isSaid(request.extra[name]) && !carried.has(name),
  )
  if (member !== undefined) throw refusal(provider.name, member)
}

/** Kinds of tools that the caller offered and that the vendor is not told of. */
export const droppedTools = (target: Target, request: ChatRequest): string[] => {
  const searches = request.webSearch !== undefined && carriesSearch(carriedBy(target, request))
  return (request.droppedTools ?? []).filter((kind) => !(searches && kind.startsWith(WEB_SEARCH)))
}

/** Parameters that the caller named and that the vendor is not told of. */
export function droppedParameters({ provider, access }: Target, request: ChatRequest): string[] {
  const carried = carriedBy({ provider, access }, request)
  const { drop } = provider.chat?.unsupported?.(request, access) ?? provider.unsupported ?? { drop: [] }
  const members = Object.keys(request.extra).filter(
    (name) => isSaid(request.extra[name]) && !carried.has(name) && !SILENT.has(name),
  )
  return [...drop.filter((parameter) => asksFor(parameter, request)), ...members.map(shown)].slice(0, SHOWN_MAX)
}

const carriedBy = ({ provider, access }: Target, request: ChatRequest): ReadonlySet<string> =>
  new Set(provider.chat?.carries?.(request, access) ?? [])

const carriesSearch = (carried: ReadonlySet<string>) => carried.has(WEB_SEARCH) || carried.has(SEARCH_OPTIONS)

const SEARCH_OPTIONS = 'web_search_options'

/** Without them the answer would be another one. */
const ESSENTIAL: ReadonlySet<string> = new Set(['logit_bias', 'mcp_servers', 'search_parameters', 'documents'])

/** How usage is told is ours to decide, nothing is kept in any case, and a search is judged by itself. */
const SILENT: ReadonlySet<string> = new Set(['stream_options', 'store', SEARCH_OPTIONS])

/** What is empty asks for nothing. */
export const isSaid = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  !(typeof value === 'object' && Object.keys(value).length === 0)

/** They are written into the log, and are whatever the caller wrote. */
const SHOWN_MAX = 20
const shown = (name: string) => name.slice(0, 64).replaceAll(/[^\w.-]/g, '_')
