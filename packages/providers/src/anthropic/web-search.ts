import type { WebSearch } from '../chat.ts'
import { defined, type Fields, isFields, listOf, textOf } from '../json.ts'
import { locationOf } from '../search-location.ts'

/** Extracts Anthropic's web search from a caller's tools: other vendors offer one under other names. */
export function takeWebSearch(tools: unknown): { webSearch: WebSearch | undefined; tools: unknown } {
  const search = Array.isArray(tools) ? tools.find(isSearch) : undefined
  if (search === undefined) return { webSearch: undefined, tools }
  const rest = listOf(tools).filter((tool) => !isSearch(tool))
  const webSearch = defined({
    name: textOf(search.type) ?? '',
    location: locationOf(search.user_location),
    allowedDomains: domainsOf(search.allowed_domains),
    blockedDomains: domainsOf(search.blocked_domains),
  })
  return { webSearch, tools: rest.length === 0 ? undefined : rest }
}

const isSearch = (tool: unknown): tool is Fields => isFields(tool) && /^web_search_\d{8}$/.test(textOf(tool.type) ?? '')

function domainsOf(value: unknown) {
  const domains = listOf(value).flatMap((domain) => textOf(domain) ?? [])
  return domains.length === 0 ? undefined : domains
}
