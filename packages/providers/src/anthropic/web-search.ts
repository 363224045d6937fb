import type { WebSearch } from '../chat.ts'
import { countOf } from '../count.ts'
import { defined, type Fields, isFields, listOf, textOf } from '../json.ts'
import { isPresent } from '../members.ts'
import { locationOf } from '../search-location.ts'

/** Extracts Anthropic's web search from a caller's tools: other vendors offer one under other names. */
export function takeWebSearch(tools: unknown): { webSearch?: WebSearch; tools: unknown; unread: string[] } {
  const search = Array.isArray(tools) ? tools.find(isSearch) : undefined
  if (search === undefined) return { tools, unread: [] }
  const rest = listOf(tools).filter((tool) => !isSearch(tool))
  const webSearch = defined({
    name: textOf(search.type) ?? '',
    location: locationOf(search.user_location),
    allowedDomains: domainsOf(search.allowed_domains),
    blockedDomains: domainsOf(search.blocked_domains),
    maxUses: countOf(search.max_uses),
  })
  const unread = Object.keys(search).filter((name) => !READ.has(name) && isPresent(search[name]))
  return { webSearch, tools: rest.length === 0 ? undefined : rest, unread: unread.map((name) => `tools.${name}`) }
}

const READ: ReadonlySet<string> = new Set([
  ...['type', 'name', 'user_location', 'allowed_domains', 'blocked_domains', 'max_uses'],
  // Nothing is lost when a tool is not cached.
  'cache_control',
])

const isSearch = (tool: unknown): tool is Fields => isFields(tool) && /^web_search_\d{8}$/.test(textOf(tool.type) ?? '')

function domainsOf(value: unknown) {
  const domains = listOf(value).flatMap((domain) => textOf(domain) ?? [])
  return domains.length === 0 ? undefined : domains
}
