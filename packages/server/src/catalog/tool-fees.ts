import type { ModelPrice } from '@pydantic/genai-prices'
import { rateOfThousand, type TOOLS } from '../ledger/rounding.ts'

/*
 * Vendors' fees for server tools. The price library has some of them; these are the missing ones, in dollars per thousand.
 */

export type ToolBucket = (typeof TOOLS)[number]

/** The price library's names, or names in its style where it has none. */
export const FEE_NAMES: Readonly<Record<ToolBucket, string>> = {
  webSearches: 'web_searches_kcount',
  fileSearches: 'storage_searches_kcount',
  mapsQueries: 'maps_queries_kcount',
  codeSessions: 'code_executions_kcount',
  sources: 'sources_kcount',
}

/** When no price is known: what most vendors charge. Such a line of a bill is marked as assumed. */
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
  // Included in its request fee; where it is not, the library says so.
  [/^sonar/, { web_searches_kcount: 0 }],
  [/^gpt-4o(?:-mini)?-search-preview/, { web_searches_kcount: 25 }],
  [
    /^(?:gpt-|o\d|codex-|computer-use)/,
    { web_searches_kcount: 10, storage_searches_kcount: 2.5, code_executions_kcount: 30 },
  ],
]

/** The known fees of a model by its name. Resellers prefix the maker. */
export const toolFees = (model: string): ModelPrice => {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return FEES.find(([models]) => models.test(name))?.[1] ?? {}
}
