import { type Fields, fieldsOf, listOf } from '../json.ts'

/*
 * Other hosts of Responses have functions, and some tools that they run themselves. What OpenAI added for agents they refuse as a whole:
 * xAI, LM Studio, llama.cpp and Ollama answer 400 or 500 to Codex because of one tool in a namespace.
 */

/** Whether a body can be understood by hosts of Responses other than OpenAI. Otherwise it is translated into a chat with functions. */
export const isUnderstoodElsewhere = ({ tools, input }: Fields) =>
  !listOf(tools).map(fieldsOf).some(isOpenAiTool) && !listOf(input).map(fieldsOf).some(isOpenAiItem)

const TOOLS: ReadonlySet<unknown> = new Set([
  ...['namespace', 'custom', 'local_shell', 'shell', 'apply_patch'],
  ...['tool_search', 'programmatic_tool_calling'],
])

const isOpenAiTool = ({ type }: Fields) => TOOLS.has(type)

const ITEMS: ReadonlySet<unknown> = new Set([
  ...['local_shell', 'shell', 'apply_patch', 'custom_tool'].flatMap((kind) => [`${kind}_call`, `${kind}_call_output`]),
  ...['tool_search_call', 'tool_search_output', 'additional_tools', 'configuration_update'],
])

const isOpenAiItem = ({ type, namespace }: Fields) => ITEMS.has(type) || typeof namespace === 'string'
