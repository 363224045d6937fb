import { z } from 'zod'
import type { ChatPart } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { citedRange } from '../citation.ts'
import { fieldsOf, isFields, listOf, parseVendor, parseVendorJson, textOf } from '../json.ts'
import { isFreeRefusal } from './declined.ts'
import { blockParts, citationPart, finishParts, freeIf, textPart, thinkingPart } from './decode.ts'
import { streamError } from './explain.ts'
import { readAnthropicUsage } from './usage.ts'

const Tagged = z.looseObject({ type: z.string() })
const Start = z.looseObject({
  message: z.looseObject({
    id: z.string().default(''),
    model: z.string().default(''),
    content: z.array(Tagged).nullish(),
  }),
})
const BlockStart = z.looseObject({ index: z.int(), content_block: Tagged })
const BlockDelta = z.looseObject({ index: z.int(), delta: Tagged })
const BlockStop = z.looseObject({ index: z.int() })
const Closing = z.looseObject({ delta: z.looseObject({ stop_reason: z.string().nullish() }) })

/** Decodes the events of a message. It remembers which block is which call, and whether the call has arguments yet. */
export function messageStreamDecoder(): (event: StreamEvent) => ChatPart[] {
  const calls = new Map<number, { call: number; filled: boolean }>()
  /** The text range of each block; its citations are emitted once its end is known. */
  const spoken = new Map<number, { start: number; end: number; citations: unknown[] }>()
  let offset = 0
  let writtenLong = 0
  let finished = false

  const open = ({ index, content_block: block }: z.infer<typeof BlockStart>): ChatPart[] => {
    if (block.type === 'text') {
      spoken.set(index, { start: offset, end: offset, citations: listOf(block.citations) })
      return say(index, block.text)
    }
    if (block.type !== 'tool_use') return blockParts(block)
    const call = calls.size
    // Imitators send the whole input with the opening event; Anthropic sends an empty one.
    const input = isFields(block.input) && Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : ''
    calls.set(index, { call, filled: input !== '' })
    const id = textOf(block.id) ?? `call_${call}`
    return [{ type: 'tool-call', choice: 0, call, id, name: textOf(block.name) ?? '', arguments: input }]
  }

  /** A turn that continues after a server tool may be complete when it starts: blocks and stop reason. */
  const initialParts = ({ content, ...closing }: z.infer<typeof Start>['message']): ChatPart[] => [
    ...(content ?? []).flatMap((block, place) => {
      const index = -1 - place
      return [...open({ index, content_block: block }), ...close({ index })]
    }),
    ...finishParts(closing),
  ]

  const grow = ({ index, delta }: z.infer<typeof BlockDelta>): ChatPart[] => {
    switch (delta.type) {
      case 'text_delta':
        return say(index, delta.text)
      case 'thinking_delta':
        return thinkingPart({ thinking: delta.thinking })
      case 'signature_delta':
        return thinkingPart(delta)
      case 'input_json_delta':
        return input(index, textOf(delta.partial_json) ?? '')
      case 'citations_delta':
        spoken.get(index)?.citations.push(delta.citation)
        return []
      default:
        return []
    }
  }

  const say = (index: number, text: unknown): ChatPart[] => {
    offset += textOf(text)?.length ?? 0
    const block = spoken.get(index)
    if (block !== undefined) block.end = offset
    return textPart(text)
  }

  const cited = (index: number): ChatPart[] => {
    const { start = 0, end = 0, citations = [] } = spoken.get(index) ?? {}
    spoken.delete(index)
    return citations.flatMap((citation) => citationPart(citation, citedRange(start, end)))
  }

  const input = (index: number, text: string): ChatPart[] => {
    const known = calls.get(index)
    if (known === undefined || text === '') return []
    known.filled = true
    return [{ type: 'tool-call', choice: 0, call: known.call, arguments: text }]
  }

  /** A tool without arguments gets no input at all, but parsers expect an object. */
  const close = ({ index }: z.infer<typeof BlockStop>): ChatPart[] => [
    ...cited(index),
    ...(calls.get(index)?.filled === false ? input(index, '{}') : []),
  ]

  /** The final usage reports cache writes of all lifetimes as one count. */
  const usage = (message: unknown): ChatPart[] => {
    const found = readAnthropicUsage(message)
    if (found === undefined) return []
    const { cacheWrite, cacheWriteLong } = found
    writtenLong = cacheWriteLong ?? writtenLong
    const free = freeIf(isFreeRefusal(message))
    if (cacheWrite === undefined || cacheWriteLong !== undefined) return [{ type: 'usage', usage: found, ...free }]
    return [{ type: 'usage', usage: { ...found, cacheWrite: Math.max(0, cacheWrite - writtenLong) }, ...free }]
  }

  const read = (data: string): ChatPart[] => {
    const message = parseVendor(Tagged, parseVendorJson(data))
    switch (message.type) {
      case 'message_start': {
        const { message: started } = parseVendor(Start, message)
        return [{ type: 'start', id: started.id, model: started.model }, ...usage(message), ...initialParts(started)]
      }
      case 'content_block_start':
        return open(parseVendor(BlockStart, message))
      case 'content_block_delta':
        return grow(parseVendor(BlockDelta, message))
      case 'content_block_stop':
        return close(parseVendor(BlockStop, message))
      case 'message_delta':
        return [...finishParts(fieldsOf(parseVendor(Closing, message).delta)), ...usage(message)]
      case 'message_stop':
        // Imitators end without a stop reason.
        return finished ? [] : [{ type: 'finish', choice: 0, reason: calls.size > 0 ? 'tool_calls' : 'stop' }]
      case 'error':
        throw streamError(message)
      default:
        return [] // pings and unknown event types
    }
  }

  return ({ data }) => {
    const parts = read(data)
    finished ||= parts.some(({ type }) => type === 'finish')
    return parts
  }
}
