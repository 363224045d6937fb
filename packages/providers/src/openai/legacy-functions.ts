import type { ToolCall } from '../collect.ts'
import { isFields } from '../json.ts'
import type { ChatCompletionMessage, ChatCompletionRequest } from './request-schema.ts'

/* The predecessor of tools: an answer calls one function at most, in a member of its own and without an id. */

export const hasLegacyFunctions = ({ functions, tools }: ChatCompletionRequest) =>
  functions !== undefined && tools === undefined

export type ToolMessage = Exclude<ChatCompletionMessage, { role: 'function' }>

/** Calls and results of functions as those of tools. Each call gets an id of its own: a function may be called again. */
export function asToolMessages(messages: readonly ChatCompletionMessage[]): ToolMessage[] {
  const latest = new Map<string, string>()
  return messages.map((message, index) => {
    if (message.role === 'function') {
      const { role: _, name, content = '', ...rest } = message
      return { ...rest, role: 'tool', tool_call_id: latest.get(name) ?? name, name, content }
    }
    if (message.role !== 'assistant' || message.function_call === undefined) return message
    const { function_call: called, tool_calls = [] } = message
    const id = `${called.name}_${index}`
    latest.set(called.name, id)
    const call = { id, type: 'function' as const, function: called, extra_content: undefined }
    return { ...message, function_call: undefined, tool_calls: [...tool_calls, call] }
  })
}

/** A vendor's call of a function as an entry of `tool_calls`; all its deltas are of one call. */
export const asToolCalls = (called: unknown) => (isFields(called) ? [{ index: 0, function: called }] : [])

export const toFunctionCall = ({ name, arguments: args }: Pick<ToolCall, 'name' | 'arguments'>) => ({
  name,
  arguments: args === '' ? '{}' : args,
})

export const toLegacyFinish = (reason: string) => (reason === 'tool_calls' ? 'function_call' : reason)
