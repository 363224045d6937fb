import type { WebSearch } from '../chat.ts'
import { defined } from '../json.ts'

/** The web search tool of Responses. */
export const toSearchTool = ({ contextSize, location, allowedDomains }: WebSearch) =>
  defined({
    type: 'web_search',
    search_context_size: contextSize,
    user_location: location === undefined ? undefined : { type: 'approximate', ...location },
    filters: allowedDomains === undefined ? undefined : { allowed_domains: allowedDomains },
  })
