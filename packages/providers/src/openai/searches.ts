import { countOf } from '../count.ts'
import { type Fields, fieldsOf, listOf } from '../json.ts'
import type { Usage } from '../usage.ts'

type Searches = Pick<Usage, 'webSearches' | 'fileSearches'>

const NONE: Searches = { webSearches: 0, fileSearches: 0 }

/**
 * How often the vendor searched on behalf of a call. Perplexity and OpenRouter count it in the usage; OpenAI does not:
 * its responses list what was done, a stream's in the event that closes it.
 */
export function searchesIn(usage: Fields, body: Fields): Searches {
  const stated = countOf(usage.num_search_queries) ?? countOf(fieldsOf(usage.server_tool_use).web_search_requests)
  if (stated !== undefined) return { ...NONE, webSearches: stated }
  const done = listOf(body.output ?? fieldsOf(body.response).output)
  return done.length === 0 ? NONE : { webSearches: tally(done, isWebSearch), fileSearches: tally(done, isFileSearch) }
}

const tally = (items: readonly unknown[], is: (item: Fields) => boolean) =>
  items.reduce<number>((count, item) => (is(fieldsOf(item)) ? count + 1 : count), 0)

/** Opening a page that was found, or looking for words in it, costs nothing. Older models do not say what they did. */
const isWebSearch = ({ type, action }: Fields) =>
  type === 'web_search_call' && (fieldsOf(action).type ?? 'search') === 'search'

const isFileSearch = ({ type }: Fields) => type === 'file_search_call'
