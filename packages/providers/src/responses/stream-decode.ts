import { z } from 'zod'
import type { ChatPart } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { CUSTOM_END, customPiece } from '../custom-tool.ts'
import { type Fields, fieldsOf, listOf, parseVendor, parseVendorJson, textOf } from '../json.ts'
import { tokensOf } from '../openai/chat-deltas.ts'
import {
  argumentsOf,
  callPart,
  citationParts,
  closingParts,
  failureIn,
  finishedParts,
  isCall,
  itemParts,
} from './decode.ts'

const Tagged = z.looseObject({ type: z.string() })

/** Decodes the events of a response. It remembers which item is which call, and whether a reasoning item has several parts. */
export function responseStreamDecoder(): (event: StreamEvent) => ChatPart[] {
  const calls = new Map<unknown, { call: number; filled: boolean }>()
  /** The length of the whole text so far, and before the current part. */
  let offset = 0
  let before = 0
  /** The items that were streamed, and those that are complete, by their index. */
  const streamed = new Set<unknown>()
  const closed = new Set<unknown>()

  const open = ({ output_index, item }: Fields): ChatPart[] => {
    const own = fieldsOf(item)
    if (!isCall(own)) return []
    const call = calls.size
    calls.set(output_index, { call, filled: false })
    return [callPart(own, call, '')]
  }

  const grow = ({ output_index, delta }: Fields): ChatPart[] => {
    const known = calls.get(output_index)
    const piece = textOf(delta) ?? ''
    if (known === undefined || piece === '') return []
    known.filled = true
    return [{ type: 'tool-call', choice: 0, call: known.call, arguments: piece }]
  }

  /** Some vendors send the arguments only at the end of a call. */
  const close = ({ output_index, item }: Fields): ChatPart[] => {
    const own = fieldsOf(item)
    closed.add(output_index)
    if (!isCall(own)) return streamed.has(output_index) || streamed.has(undefined) ? finishedParts(own) : whole(own)
    const opened = calls.has(output_index) ? [] : open({ output_index, item })
    const more = (delta: string) => grow({ output_index, delta })
    if (calls.get(output_index)?.filled)
      return [...opened, ...(own.type === 'custom_tool_call' ? more(CUSTOM_END) : [])]
    return [...opened, ...more(argumentsOf(own))]
  }

  /** Some vendors send an item only when it is complete. */
  const whole = (item: Fields): ChatPart[] => {
    const parts = itemParts(item, offset)
    for (const part of parts) if (part.type === 'text') offset += part.text.length
    return parts
  }

  /** Or all of them at the end. */
  const unsent = (response: Fields): ChatPart[] =>
    streamed.size + closed.size + calls.size > 0
      ? []
      : listOf(response.output).flatMap((item, output_index) => close({ output_index, item }))

  /** The plain text of a custom tool is streamed inside its wrapper object. */
  const write = ({ output_index, delta }: Fields): ChatPart[] => {
    const piece = textOf(delta) ?? ''
    if (piece === '') return []
    return grow({ output_index, delta: customPiece(piece, !calls.get(output_index)?.filled) })
  }

  const text = (type: 'text' | 'reasoning' | 'refusal', delta: unknown): ChatPart[] =>
    typeof delta === 'string' && delta !== '' ? [{ type, choice: 0, text: delta }] : []

  const speak = ({ delta, logprobs }: Fields): ChatPart[] => {
    const tokens = tokensOf({ content: logprobs })
    return [...text('text', delta), ...(tokens.length === 0 ? [] : [{ type: 'logprobs' as const, choice: 0, tokens }])]
  }

  return ({ data }) => {
    if (data === '[DONE]') return []
    const event = parseVendor(Tagged, parseVendorJson(data))
    const response = fieldsOf(event.response)
    if (event.type.endsWith('.delta')) streamed.add(event.output_index)
    switch (event.type) {
      case 'response.created':
        return [{ type: 'start', id: textOf(response.id) ?? '', model: textOf(response.model) ?? '' }]
      case 'response.content_part.added':
        before = offset
        return []
      case 'response.output_text.delta':
        offset += textOf(event.delta)?.length ?? 0
        return speak(event)
      case 'response.refusal.delta':
        return text('refusal', event.delta)
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return text('reasoning', event.delta)
      case 'response.reasoning_summary_part.added':
        return event.summary_index === 0 ? [] : text('reasoning', '\n\n')
      case 'response.output_text.annotation.added':
        return citationParts(event.annotation, before)
      case 'response.output_item.added':
        return open(event)
      case 'response.function_call_arguments.delta':
        return grow(event)
      case 'response.custom_tool_call_input.delta':
        return write(event)
      case 'response.output_item.done':
        return close(event)
      case 'response.completed':
      case 'response.incomplete':
        return [...unsent(response), ...closingParts(response, calls.size > 0)]
      case 'response.failed':
        throw failureIn(response.error)
      case 'error':
        throw failureIn(event.error ?? { code: event.code, message: event.message, param: event.param })
      default:
        return [] // ends of parts, server tools and unknown event types
    }
  }
}
