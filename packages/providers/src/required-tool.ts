import type { ChatRequest, ChatTool } from './chat.ts'

/*
 * Not every vendor can be told that a tool has to be called. Offered alone, it mostly is, and programs that need it ask again otherwise; a
 * refusal would leave them nothing.
 */

/** The one tool that has to be called; undefined if none has to be, or any of several. */
export function requiredTool({ tools = [], toolChoice }: ChatRequest): ChatTool | undefined {
  if (typeof toolChoice === 'object') return tools.find(({ name }) => name === toolChoice.name)
  return toolChoice === 'required' && tools.length === 1 ? tools[0] : undefined
}

/** The tools for a vendor that knows no choice. */
export function offeredTools(request: ChatRequest): ChatTool[] {
  const { tools = [], toolChoice } = request
  if (toolChoice === 'none') return []
  const required = requiredTool(request)
  return required === undefined ? tools : [required]
}
