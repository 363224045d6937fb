import { isObject, type Json, objectsIn, prettyJson, textIn } from './json.ts'

/** A part of a message. */
export type Part =
  | { kind: 'text' | 'reasoning'; text: string }
  | { kind: 'toolCall' | 'toolResult'; name: string; text: string }
  | { kind: 'data'; text: string }

export interface Turn {
  role: string
  parts: Part[]
}

/** The parts of a message in any dialect: a text, or blocks with a type or a characteristic member. */
export const partsOf = (content: unknown): Part[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return Array.isArray(content) ? content.flatMap(partOf) : isObject(content) ? partOf(content) : []
}

const TEXT = new Set(['text', 'input_text', 'output_text', 'refusal', 'summary_text', 'reasoning_text'])

/** OpenAI's tools that run at the client, and the results of all tools. */
const CLIENT_CALL = /^(shell|local_shell|apply_patch)_call$/
const CALL_OUTPUT = /^(function|custom_tool|shell|local_shell|apply_patch)_call_output$/

const partOf = (block: unknown): Part[] => {
  if (!isObject(block)) return partsOf(block)
  const { type } = block
  if (type === 'thinking') return [{ kind: 'reasoning', text: textIn(block.thinking) }]
  if (type === 'reasoning') return [{ kind: 'reasoning', text: textsIn([block.summary, block.content]) }]
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use')
    return [call(block.name, block.input)]
  if (type === 'function_call' || type === 'custom_tool_call') return [call(block.name, block.arguments ?? block.input)]
  if (typeof type === 'string' && CLIENT_CALL.test(type))
    return [call(type.slice(0, -'_call'.length), block.action ?? block.operation)]
  if (typeof type === 'string' && CALL_OUTPUT.test(type)) return [result('', block.output ?? block.status)]
  if (type === 'tool_result') return [result('', block.content)]
  if (isObject(block.functionCall)) return [call(block.functionCall.name, block.functionCall.args)]
  if (isObject(block.functionResponse)) return [result(block.functionResponse.name, block.functionResponse.response)]
  const text = block.text ?? block.refusal
  if (typeof text === 'string' && (type === undefined || TEXT.has(textIn(type))))
    return [{ kind: block.thought === true ? 'reasoning' : 'text', text }]
  return [{ kind: 'data', text: prettyJson(block) }]
}

/** A message of chat completions has its calls and reasoning beside the content. */
export const chatParts = (message: Json): Part[] => {
  const reasoning = textIn(message.reasoning_content ?? message.reasoning)
  const parts: Part[] = reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning }]
  const content =
    message.role === 'tool' || message.role === 'function'
      ? [result(message.name, message.content)]
      : [...partsOf(message.content), ...partsOf(message.refusal)]
  const calls = objectsIn(message.tool_calls).map(({ function: called, custom }) => {
    const tool = isObject(called) ? called : isObject(custom) ? custom : {}
    return call(tool.name, tool.arguments ?? tool.input)
  })
  return [...parts, ...content, ...calls]
}

export const call = (name: unknown, given: unknown): Part => ({
  kind: 'toolCall',
  name: textIn(name),
  text: prettyJson(given ?? ''),
})

const result = (name: unknown, given: unknown): Part => ({
  kind: 'toolResult',
  name: textIn(name),
  text: typeof given === 'string' ? given : (textOfAll(given) ?? prettyJson(given ?? '')),
})

/** Results are often blocks of plain text. */
function textOfAll(content: unknown) {
  const parts = Array.isArray(content) ? partsOf(content) : []
  return parts.length > 0 && parts.every(({ kind }) => kind === 'text')
    ? parts.map(({ text }) => text).join('\n')
    : undefined
}

const textsIn = (contents: unknown[]) =>
  contents
    .flatMap(partsOf)
    .map(({ text }) => text)
    .join('\n\n')

/** Merges deltas of a stream into one part where they belong together. */
export const appended = (parts: Part[], next: Part): Part[] => {
  const last = parts.at(-1)
  if (last === undefined || last.kind !== next.kind || (next.kind !== 'text' && next.kind !== 'reasoning'))
    return [...parts, next]
  return [...parts.slice(0, -1), { ...last, text: last.text + next.text }]
}
