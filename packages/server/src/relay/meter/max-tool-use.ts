import type { Usage } from '@tollgate/providers'
import type { Call } from '../surfaces/call.ts'
import { fieldsOf } from '../surfaces/fields.ts'

type ToolUse = Pick<Usage, 'webSearches' | 'fileSearches' | 'mapsQueries' | 'codeSessions' | 'sources'>

/** Tool calls assumed for a model without a limit. */
const USUAL = 5
const RESEARCH = 30
/** Higher counts are refused as implausible usage too. */
const MOST = 1000

/** The maximum number of server tool calls, by the request's limit or the default. */
export const maxToolUse = ({ model, body }: Call): ToolUse => {
  // Google accepts one tool for a list of one.
  const tools = [body.tools].flat().map(fieldsOf)
  const allowed = countOf(body.max_tool_calls) ?? (isResearch(model) ? RESEARCH : USUAL)
  let webSearches = body.web_search_options == null && body.search_parameters == null ? 0 : 1
  let fileSearches = 0
  let mapsQueries = 0
  let codeSessions = 0
  for (const tool of tools) {
    const type = typeof tool.type === 'string' ? tool.type : ''
    if (/^(?:web_search|x_search)/.test(type)) webSearches = Math.max(webSearches, countOf(tool.max_uses) ?? allowed)
    if (type === 'file_search') fileSearches = allowed
    if (/^code_(?:interpreter|execution)/.test(type)) codeSessions = 1
    if (MAPS.some((name) => name in tool)) mapsQueries = 1
    // Up to its second generation Gemini charges one fee per call, however many searches.
    if (GOOGLE.some((name) => name in tool)) webSearches = /gemini-[12]/.test(model) ? 1 : USUAL
  }
  if (webSearches === 0 && SEARCHERS.test(model)) webSearches = isResearch(model) ? RESEARCH : 1
  return { webSearches, fileSearches, mapsQueries, codeSessions, sources: sourcesAsked(body.search_parameters) }
}

/** The default number of pages that xAI reads. */
const USUAL_SOURCES = 20

const sourcesAsked = (parameters: unknown) =>
  parameters == null ? 0 : (countOf(fieldsOf(parameters).max_search_results) ?? USUAL_SOURCES)

const MAPS = ['googleMaps', 'google_maps']

/** Whether a model searches without being offered a tool. */
export const searchesByItself = (model: string) => SEARCHERS.test(model) || model.includes('sonar')

const SEARCHERS = /search|compound/
const GOOGLE = ['googleSearch', 'google_search', 'googleSearchRetrieval', 'google_search_retrieval']

export const isResearch = (model: string) => model.includes('deep-research')

const countOf = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? Math.min(value, MOST) : undefined
