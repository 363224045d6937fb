import { countOf } from '../count.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../json.ts'
import type { Usage } from '../usage.ts'

type ToolUse = Partial<Pick<Usage, 'webSearches' | 'fileSearches' | 'codeSessions' | 'sources'>>

/**
 * How often the vendor ran its own tools for a call. Perplexity, OpenRouter and xAI report counts in the usage; OpenAI's
 * responses list each call, in a stream in the closing event. Nearly every call has neither.
 */
export function toolUseIn(usage: Fields, body: Fields): ToolUse {
  const { num_search_queries, num_sources_used, server_tool_use: used, server_side_tool_usage_details: tools } = usage
  const stated = countOf(num_search_queries) ?? (isFields(used) ? countOf(used.web_search_requests) : undefined)
  if (stated !== undefined) return { webSearches: stated }
  if (isFields(tools)) return countedByTool(tools)
  const sources = countOf(num_sources_used)
  if (sources !== undefined) return { sources }
  const { output: done, tool_usage: counted } = isFields(body.response) ? body.response : body
  if (Array.isArray(done)) return { ...listedTools(done.map(fieldsOf)), ...billedSearches(counted) }
  // These models search once per call without reporting it.
  return SEARCHES_ALWAYS.test(textOf(body.model) ?? '') ? { webSearches: 1 } : {}
}

const SEARCHES_ALWAYS = /^gpt-.*search-(?:preview|api)/

/** xAI's counts. Searches of posts cost the same as web searches. */
const countedByTool = (tools: Fields): ToolUse => {
  const calls = (name: string) => countOf(tools[`${name}_calls`]) ?? 0
  return {
    webSearches: calls('web_search') + calls('x_search'),
    fileSearches: calls('file_search') + calls('document_search'),
    codeSessions: calls('code_interpreter') + calls('code_execution'),
  }
}

/** How many of the listed searches OpenAI bills, where it says so. */
const billedSearches = (counted: unknown): ToolUse => {
  const webSearches = isFields(counted) ? countOf(fieldsOf(counted.web_search).num_requests) : undefined
  return webSearches === undefined ? {} : { webSearches }
}

const listedTools = (items: Fields[]): ToolUse => ({
  webSearches: items.filter(isWebSearch).length,
  fileSearches: items.filter(({ type }) => type === 'file_search_call').length,
  codeSessions: sessionsIn(items),
})

/** Opening a page or searching in it is free. Older models do not report the action. */
const isWebSearch = ({ type, action }: Fields) =>
  type === 'web_search_call' && (fieldsOf(action).type ?? 'search') === 'search'

/** Calls on one container are one session; a call without a container is a session of its own. */
function sessionsIn(items: Fields[]) {
  const calls = items.filter(({ type }) => type === 'code_interpreter_call')
  return new Set(calls.map((call, index) => textOf(call.container_id) ?? index)).size
}
