import { isFields, textOf } from '../json.ts'
import { shownKind } from '../other-kind.ts'

/** Takes out the search among the caller's own tools, which Anthropic runs. Other models have all tools from the beginning. */
export function takeToolSearch(tools: unknown): { tools: unknown; droppedTools?: string[] } {
  if (!Array.isArray(tools)) return { tools }
  const dropped = tools.filter(isToolSearch).map(({ type }) => shownKind(String(type)))
  if (dropped.length === 0) return { tools }
  const rest = tools.filter((tool) => !isToolSearch(tool))
  return { tools: rest.length === 0 ? undefined : rest, droppedTools: [...new Set(dropped)] }
}

const isToolSearch = (tool: unknown) => isFields(tool) && /^tool_search_tool_/.test(textOf(tool.type) ?? '')
