import { countOf } from '../count.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../json.ts'
import type { Usage } from '../usage.ts'

type ToolUse = Partial<Pick<Usage, 'webSearches' | 'fileSearches' | 'codeSessions' | 'sources'>>

/**
 * How often the vendor ran tools of its own on behalf of a call. Perplexity, OpenRouter and xAI count it in the usage;
 * OpenAI does not: its responses list what was done, a stream's in the event that closes it. Nearly every call has neither.
 */
export function toolUseIn(usage: Fields, body: Fields): ToolUse {
  const { num_search_queries, num_sources_used, server_tool_use: used, server_side_tool_usage_details: tools } = usage
  const stated = countOf(num_search_queries) ?? (isFields(used) ? countOf(used.web_search_requests) : undefined)
  if (stated !== undefined) return { webSearches: stated }
  if (isFields(tools)) return countedByTool(tools)
  const sources = countOf(num_sources_used)
  if (sources !== undefined) return { sources }
  const done = isFields(body.response) ? body.response.output : body.output
  if (Array.isArray(done)) return listedTools(done.map(fieldsOf))
  // These search once for every call, and do not say so.
  return SEARCHES_ALWAYS.test(textOf(body.model) ?? '') ? { webSearches: 1 } : {}
}

const SEARCHES_ALWAYS = /^gpt-.*search-(?:preview|api)/

/** By xAI's count. Posts are searched at the price of pages. */
const countedByTool = (tools: Fields): ToolUse => {
  const calls = (name: string) => countOf(tools[`${name}_calls`]) ?? 0
  return {
    webSearches: calls('web_search') + calls('x_search'),
    fileSearches: calls('file_search') + calls('document_search'),
    codeSessions: calls('code_interpreter') + calls('code_execution'),
  }
}

const listedTools = (items: Fields[]): ToolUse => ({
  webSearches: items.filter(isWebSearch).length,
  fileSearches: items.filter(({ type }) => type === 'file_search_call').length,
  codeSessions: sessionsIn(items),
})

/** Opening a page that was found, or looking for words in it, costs nothing. Older models do not say what they did. */
const isWebSearch = ({ type, action }: Fields) =>
  type === 'web_search_call' && (fieldsOf(action).type ?? 'search') === 'search'

/** All that runs on one machine is one session; a call that does not name its machine is one of its own. */
function sessionsIn(items: Fields[]) {
  const calls = items.filter(({ type }) => type === 'code_interpreter_call')
  return new Set(calls.map((call, index) => textOf(call.container_id) ?? index)).size
}
