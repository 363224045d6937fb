import { countOf } from '../count.ts'
import { type Fields, fieldsOf, isFields } from '../json.ts'
import type { Usage } from '../usage.ts'

type Searches = Pick<Usage, 'webSearches' | 'fileSearches'>

const NONE: Searches = { webSearches: 0, fileSearches: 0 }

/**
 * How often the vendor searched on behalf of a call. Perplexity, OpenRouter and xAI count it in the usage; OpenAI does
 * not: its responses list what was done, a stream's in the event that closes it. Nearly every call has neither.
 */
export function searchesIn(usage: Fields, body: Fields): Searches {
  const { num_search_queries, server_tool_use: used, server_side_tool_usage_details: tools } = usage
  const stated = countOf(num_search_queries) ?? (isFields(used) ? countOf(used.web_search_requests) : undefined)
  if (stated !== undefined) return { webSearches: stated, fileSearches: 0 }
  if (isFields(tools)) return searchesByTool(tools)
  const done = isFields(body.response) ? body.response.output : body.output
  if (!Array.isArray(done)) return NONE
  const items = done.map(fieldsOf)
  return { webSearches: items.filter(isWebSearch).length, fileSearches: items.filter(isFileSearch).length }
}

/** By xAI's count. Posts are searched at the price of pages. */
function searchesByTool({ web_search_calls, x_search_calls, file_search_calls }: Fields): Searches {
  return {
    webSearches: (countOf(web_search_calls) ?? 0) + (countOf(x_search_calls) ?? 0),
    fileSearches: countOf(file_search_calls) ?? 0,
  }
}

/** Opening a page that was found, or looking for words in it, costs nothing. Older models do not say what they did. */
const isWebSearch = ({ type, action }: Fields) =>
  type === 'web_search_call' && (fieldsOf(action).type ?? 'search') === 'search'

const isFileSearch = ({ type }: Fields) => type === 'file_search_call'
