import { z } from 'zod'
import type { ChatPart } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { citedRange } from '../citation.ts'
import { fieldsOf, isFields, parseVendor, parseVendorJson, textOf } from '../json.ts'
import { withoutMarks } from '../tool-name.ts'
import { citationPart, contentParts, finishParts, isClientTool, textLength } from './decode.ts'
import { exceptionOf } from './explain.ts'
import { readConverseUsage } from './usage.ts'

const Indexed = z.looseObject({ contentBlockIndex: z.int() })
const BlockStart = Indexed.extend({ start: z.looseObject({}).nullish() })
const BlockDelta = Indexed.extend({ delta: z.looseObject({}) })
const Stop = z.looseObject({ stopReason: z.string().nullish() })

/** Decodes the events of ConverseStream; the framing provides their names. */
export function converseStreamDecoder(): (event: StreamEvent) => ChatPart[] {
  const calls = new Map<number, { call: number; filled: boolean }>()
  const pictures = new Map<number, object>()
  /** The text range of each block; its citations are emitted once its end is known. */
  const cited = new Map<number, { start: number; citations: unknown[] }>()
  let offset = 0
  let started = false

  const open = ({ contentBlockIndex, start }: z.infer<typeof BlockStart>): ChatPart[] => {
    if (isFields(start?.image)) pictures.set(contentBlockIndex, start.image)
    if (!isFields(start?.toolUse) || !isClientTool(start.toolUse)) return []
    const { toolUseId, name } = start.toolUse
    const call = calls.size
    calls.set(contentBlockIndex, { call, filled: false })
    const id = textOf(toolUseId) ?? `call_${call}`
    return [{ type: 'tool-call', choice: 0, call, id, name: withoutMarks(textOf(name) ?? ''), arguments: '' }]
  }

  const input = (index: number, text: string): ChatPart[] => {
    const known = calls.get(index)
    if (known === undefined || text === '') return []
    known.filled = true
    return [{ type: 'tool-call', choice: 0, call: known.call, arguments: text }]
  }

  const grow = ({ contentBlockIndex, delta }: z.infer<typeof BlockDelta>) => {
    if (isFields(delta.toolUse)) return input(contentBlockIndex, textOf(delta.toolUse.input) ?? '')
    const block = cited.get(contentBlockIndex) ?? { start: offset, citations: [] }
    cited.set(contentBlockIndex, block)
    if (isFields(delta.citation)) block.citations.push(delta.citation)
    // Only the opening event contains the image format.
    const parts = contentParts(
      isFields(delta.image) ? { image: { ...pictures.get(contentBlockIndex), ...delta.image } } : delta,
    )
    offset += textLength(parts)
    return parts
  }

  const close = ({ contentBlockIndex: index }: z.infer<typeof Indexed>) => {
    const { start = offset, citations = [] } = cited.get(index) ?? {}
    cited.delete(index)
    return [
      ...citations.flatMap((citation) => citationPart(citation, citedRange(start, offset))),
      ...(calls.get(index)?.filled === false ? input(index, '{}') : []),
    ]
  }

  const read = (name: string, body: unknown): ChatPart[] => {
    switch (name) {
      case 'contentBlockStart':
        return open(parseVendor(BlockStart, body))
      case 'contentBlockDelta':
        return grow(parseVendor(BlockDelta, body))
      case 'contentBlockStop':
        return close(parseVendor(Indexed, body))
      case 'messageStop':
        return finishParts(parseVendor(Stop, body).stopReason || 'end_turn')
      case 'metadata': {
        const usage = readConverseUsage(body)
        return usage === undefined ? [] : [{ type: 'usage', usage }]
      }
      default:
        return []
    }
  }

  return ({ event, data }) => {
    const body = parseVendorJson(data)
    if (event.endsWith('Exception')) throw exceptionOf(event, textOf(fieldsOf(body).message))
    const parts = read(event, body)
    if (started) return parts
    started = true
    return [{ type: 'start', id: '', model: '' }, ...parts]
  }
}
