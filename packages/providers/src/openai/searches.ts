import { countOf } from '../count.ts'
import { type Fields, fieldsOf, isFields } from '../json.ts'
import type { Usage } from '../usage.ts'

type Searches = Pick<Usage, 'webSearches' | 'fileSearches'>

const NONE: Searches = { webSearches: 0, fileSearches: 0 }

/**
 * How often the vendor searched on behalf of a call. Perplexity and OpenRouter count it in the usage; OpenAI does not:
 * its responses list what was done, a stream's in the event that closes it. Nearly every call has neither.
 */
export function searchesIn({ num_search_queries, server_tool_use: used }: Fields, body: Fields): Searches {
  const stated = countOf(num_search_queries) ?? (isFields(used) ? countOf(used.web_search_requests) : undefined)
  if (stated !== undefined) return { webSearches: stated, fileSearches: 0 }
  const done = isFields(body.response) ? body.response.output : body.output
  if (!Array.isArray(done)) return NONE
  const items = done.map(fieldsOf)
  return { webSearches: items.filter(isWebSearch).length, fileSearches: items.filter(isFileSearch).length }
}

/** Opening a page that was found, or looking for words in it, costs nothing. Older models do not say what they did. */
const isWebSearch = ({ type, action }: Fields) =>
  type === 'web_search_call' && (fieldsOf(action).type ?? 'search') === 'search'

const isFileSearch = ({ type }: Fields) => type === 'file_search_call'
