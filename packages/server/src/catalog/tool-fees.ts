import type { ModelPrice } from '@pydantic/genai-prices'
import { rateOfThousand, type TOOLS } from '../ledger/rounding.ts'

/*
 * What vendors take for tools that they run themselves. The price library knows some of it; what stands here is what it
 * leaves out, in dollars for a thousand.
 */

export type ToolBucket = (typeof TOOLS)[number]

/** The price library's names of them, and names in its manner where it has none. */
export const FEE_NAMES: Readonly<Record<ToolBucket, string>> = {
  webSearches: 'web_searches_kcount',
  fileSearches: 'storage_searches_kcount',
  mapsQueries: 'maps_queries_kcount',
  codeSessions: 'code_executions_kcount',
  sources: 'sources_kcount',
}

/** Where nobody has stated a price: as much as most vendors take. Such a line of a bill is marked as assumed. */
export const USUAL_FEES: Readonly<Record<ToolBucket, bigint>> = {
  webSearches: rateOfThousand(10),
  fileSearches: rateOfThousand(2.5),
  mapsQueries: rateOfThousand(25),
  codeSessions: rateOfThousand(30),
  sources: rateOfThousand(25),
}

const FEES: readonly (readonly [models: RegExp, fees: ModelPrice])[] = [
  [/^gemini-[12]/, { web_searches_kcount: 35, maps_queries_kcount: 25 }],
  [/^gemini-/, { web_searches_kcount: 14, maps_queries_kcount: 14 }],
  [/^grok-/, { web_searches_kcount: 5, storage_searches_kcount: 2.5, code_executions_kcount: 5, sources_kcount: 25 }],
  // Its requests contain them; where they do not, the library says so.
  [/^sonar/, { web_searches_kcount: 0 }],
  [/^gpt-4o(?:-mini)?-search-preview/, { web_searches_kcount: 25 }],
  [
    /^(?:gpt-|o\d|codex-|computer-use)/,
    { web_searches_kcount: 10, storage_searches_kcount: 2.5, code_executions_kcount: 30 },
  ],
]

/** The fees that are known of a model by its name. Resellers put the maker in front. */
export const toolFees = (model: string): ModelPrice => {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return FEES.find(([models]) => models.test(name))?.[1] ?? {}
}
