import type { ChatRequest, WebSearch } from './chat.ts'
import { refuseForeignFiles } from './file-stores.ts'
import { fieldsOf } from './json.ts'
import { lostNested } from './nested-members.ts'
import type { Provider } from './provider.ts'
import { asksFor, refusal } from './unsupported.ts'
import type { Access } from './upstream-request.ts'

/*
 * Members of a caller's body that not every vendor supports. Each adapter declares which of them it carries; of the others,
 * those that change the answer are refused by name, and the rest is dropped and named in the log.
 */

/** The vendor and channel of a request. */
interface Target {
  provider: Provider
  access: Access
}

/** The name under which adapters declare web search. */
export const WEB_SEARCH = 'web_search'

/** The names under which they declare its settings. */
export const SEARCH_SETTINGS = {
  contextSize: 'web_search.search_context_size',
  location: 'web_search.user_location',
  allowedDomains: 'web_search.allowed_domains',
  blockedDomains: 'web_search.blocked_domains',
  maxUses: 'web_search.max_uses',
} as const satisfies Partial<Record<keyof WebSearch, string>>

/** Throws when the request has a member that changes the answer and that this vendor does not support. */
export function refuseUnsupportedFields({ provider, access }: Target, request: ChatRequest): void {
  refuseForeignFiles(provider.name, provider.chat?.files?.(request), request)
  const carried = carriedBy({ provider, access }, request)
  const { webSearch } = request
  if (webSearch !== undefined && webSearch.optional !== true && !carriesSearch(carried)) {
    throw refusal(provider.name, webSearch.name, `This channel's model can not search the web: '${webSearch.name}'`)
  }
  const member = Object.keys(request.extra).find(
    (name) => ESSENTIAL.has(name) && isPresent(request.extra[name]) && !carried.has(name),
  )
  if (member !== undefined) throw refusal(provider.name, member)
  if (asksToPrewarm(request) && !carried.has(CACHE_OPTIONS)) {
    throw refusal(provider.name, `${CACHE_OPTIONS}.prewarm`, PREWARM)
  }
}

const CACHE_OPTIONS = 'prompt_cache_options'

/** Answering would cost what the caller wanted to save. */
const asksToPrewarm = ({ extra }: ChatRequest) => fieldsOf(extra[CACHE_OPTIONS]).prewarm === true
const PREWARM = "This channel's model can not prepare a prompt cache without answering: 'prompt_cache_options.prewarm'"

/** Tool types that the caller offered and that the vendor does not support. */
export const droppedTools = (target: Target, request: ChatRequest): string[] => {
  const searches = request.webSearch !== undefined && carriesSearch(carriedBy(target, request))
  return (request.droppedTools ?? []).filter((kind) => !(searches && kind.startsWith(WEB_SEARCH)))
}

/** Parameters that the caller set and that the vendor does not receive. */
export function droppedParameters({ provider, access }: Target, request: ChatRequest): string[] {
  const carried = carriedBy({ provider, access }, request)
  const { drop } = provider.chat?.unsupported?.(request, access) ?? provider.unsupported ?? { drop: [] }
  const members = Object.keys(request.extra).filter(
    (name) => isPresent(request.extra[name]) && !carried.has(name) && !SILENT.has(name),
  )
  const dropped = drop.filter((parameter) => asksFor(parameter, request))
  const named = [
    ...members,
    ...searchSettings(request, carried),
    ...lostNested(request, carried),
    ...(request.unread ?? []),
  ]
  return [...dropped, ...named.map(shown)].slice(0, SHOWN_MAX)
}

const carriedBy = ({ provider, access }: Target, request: ChatRequest): ReadonlySet<string> =>
  new Set(provider.chat?.carries?.(request, access) ?? [])

/** Settings of a search that the vendor carries out without them. */
function searchSettings({ webSearch }: ChatRequest, carried: ReadonlySet<string>): string[] {
  if (webSearch === undefined || !carried.has(WEB_SEARCH) || carried.has(SEARCH_OPTIONS)) return []
  const names = Object.keys(SEARCH_SETTINGS) as (keyof typeof SEARCH_SETTINGS)[] // the keys of a literal
  return names
    .filter((name) => webSearch[name] !== undefined && !carried.has(SEARCH_SETTINGS[name]))
    .map((name) => SEARCH_SETTINGS[name])
}

const carriesSearch = (carried: ReadonlySet<string>) => carried.has(WEB_SEARCH) || carried.has(SEARCH_OPTIONS)

const SEARCH_OPTIONS = 'web_search_options'

/** Dropping these would change the answer. */
const ESSENTIAL: ReadonlySet<string> = new Set(['logit_bias', 'mcp_servers', 'search_parameters', 'documents'])

/** Usage reporting is decided by the gateway, nothing is stored in any case, and web search is checked separately. */
const SILENT: ReadonlySet<string> = new Set(['stream_options', 'store', SEARCH_OPTIONS])

/** Empty values count as absent. */
export const isPresent = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  !(typeof value === 'object' && Object.keys(value).length === 0)

/** They come from the caller and are written to the log, so they are bounded. */
const SHOWN_MAX = 20
const shown = (name: string) => name.slice(0, 64).replaceAll(/[^\w.-]/g, '_')
