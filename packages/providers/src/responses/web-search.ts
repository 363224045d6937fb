import type { WebSearch } from '../chat.ts'
import { defined, fieldsOf, listOf, textOf } from '../json.ts'
import { locationOf } from '../search-location.ts'
import type { Tool } from './tool-schema.ts'

/** A search that clients offer with every call. One restricted to OpenAI's page cache cannot run at another vendor. */
export function webSearchIn(tools: readonly Tool[]): WebSearch | undefined {
  const tool = tools.find((own) => own.type === 'other' && own.kind.startsWith('web_search'))
  if (tool === undefined || tool.external_web_access === false) return undefined
  const domains = listOf(fieldsOf(tool.filters).allowed_domains).flatMap((domain) => textOf(domain) ?? [])
  return defined({
    name: 'web_search',
    optional: true as const,
    contextSize: textOf(tool.search_context_size),
    location: locationOf(tool.user_location),
    allowedDomains: domains.length === 0 ? undefined : domains,
  })
}
