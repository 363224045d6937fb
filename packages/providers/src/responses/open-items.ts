import type { ChatPart } from '../chat.ts'
import { customInput } from '../custom-tool.ts'
import {
  type Called,
  callItem,
  customCallItem,
  type Item,
  messageItem,
  reasoningItem,
  refusalPart,
  type Status,
  summaryPart,
  textPart,
  toAnnotation,
  toLogprobs,
  visibleText,
} from './items.ts'

/* An item while it is being streamed: its opening events, its deltas, and its closing events with the whole item. */

export type Emit = (type: string, more: object) => string

export interface Place {
  index: number
  /** Without the prefix of its type. */
  id: string
  emit: Emit
}

export interface Closed {
  frames: string
  item: Item
}

export type OpenItem = { index: number; close(status: Status): Closed } & (
  | { kind: 'message'; add(part: MessagePart): string }
  | { kind: 'reasoning'; add(part: { text: string; signature?: string; redacted?: string }): string }
  | { kind: 'call'; add(piece: string): string }
)

type MessagePart = Extract<ChatPart, { type: 'text' | 'refusal' | 'image' | 'audio' | 'citation' | 'logprobs' }>

/** Texts and refusals, each a part of one message. */
export function openMessage({ index, id, emit }: Place) {
  const own = `msg_${id}`
  const content: object[] = []
  let kind: 'text' | 'refusal' | undefined
  let text = ''
  let annotations: object[] = []
  let logprobs: object[] = []

  const where = () => ({ item_id: own, output_index: index, content_index: content.length })
  const part = () => (kind === 'refusal' ? refusalPart(text) : textPart(text, { annotations, logprobs }))

  const closePart = () => {
    if (kind === undefined) return ''
    const whole = part()
    const done =
      kind === 'refusal'
        ? emit('response.refusal.done', { ...where(), refusal: text })
        : emit('response.output_text.done', { ...where(), text, logprobs })
    const frames = done + emit('response.content_part.done', { ...where(), part: whole })
    content.push(whole)
    kind = undefined
    text = ''
    annotations = []
    logprobs = []
    return frames
  }

  const grow = (next: 'text' | 'refusal', delta: string) => {
    const before = kind === next ? '' : closePart()
    const opening = kind === next ? '' : emit('response.content_part.added', { ...where(), part: EMPTY[next] })
    kind = next
    text += delta
    const type = next === 'refusal' ? 'response.refusal.delta' : 'response.output_text.delta'
    return before + opening + emit(type, { ...where(), delta, ...(next === 'text' ? { logprobs: [] } : {}) })
  }

  const add = (spoken: MessagePart): string => {
    switch (spoken.type) {
      case 'refusal':
        return grow('refusal', spoken.text)
      case 'text':
      case 'image':
      case 'audio':
        return grow('text', visibleText(spoken))
      case 'logprobs':
        logprobs.push(...toLogprobs(spoken.tokens))
        return ''
      case 'citation': {
        const annotation = toAnnotation(spoken)
        annotations.push(annotation)
        const more = { ...where(), annotation_index: annotations.length - 1, annotation }
        return emit('response.output_text.annotation.added', more)
      }
    }
  }

  return {
    kind: 'message' as const,
    index,
    opening: emit('response.output_item.added', { output_index: index, item: messageItem(own, 'in_progress', []) }),
    add,
    close(status: Status): Closed {
      const frames = closePart()
      const item = messageItem(own, status, content)
      return { item, frames: frames + emit('response.output_item.done', { output_index: index, item }) }
    },
  }
}

const EMPTY = { text: textPart(''), refusal: refusalPart('') }

export function openReasoning({ index, id, emit }: Place) {
  const own = `rs_${id}`
  const block: { text: string; signature?: string; redacted?: string } = { text: '' }
  const where = { item_id: own, output_index: index, summary_index: 0 }

  return {
    kind: 'reasoning' as const,
    index,
    opening: emit('response.output_item.added', {
      output_index: index,
      item: reasoningItem(own, 'in_progress', block),
    }),
    add({ text, ...closing }: { text: string; signature?: string; redacted?: string }) {
      Object.assign(block, closing)
      if (text === '') return ''
      const first = block.text === ''
      block.text += text
      const opening = first ? emit('response.reasoning_summary_part.added', { ...where, part: summaryPart('') }) : ''
      return opening + emit('response.reasoning_summary_text.delta', { ...where, delta: text })
    },
    close(status: Status): Closed {
      const { text } = block
      const item = reasoningItem(own, status, block)
      const summary =
        text === ''
          ? ''
          : emit('response.reasoning_summary_text.done', { ...where, text }) +
            emit('response.reasoning_summary_part.done', { ...where, part: summaryPart(text) })
      return { item, frames: summary + emit('response.output_item.done', { output_index: index, item }) }
    },
  }
}

export function openCall(place: Place, call: Called) {
  const own = `fc_${place.id}`
  const where = { item_id: own, output_index: place.index }
  return growingCall(place, callItem(own, 'in_progress', { ...call, arguments: '' }), {
    grown: (piece) => place.emit('response.function_call_arguments.delta', { ...where, delta: piece }),
    closed(args, status) {
      const item = callItem(own, status, { ...call, arguments: args })
      const done = { ...where, name: call.name, arguments: item.arguments }
      return { item, frames: place.emit('response.function_call_arguments.done', done) }
    },
  })
}

/** A custom tool call: its text is inside an object that can be read only when complete. */
export function openCustomCall(place: Place, call: Called) {
  const own = `ctc_${place.id}`
  const where = { item_id: own, output_index: place.index }
  return growingCall(place, customCallItem(own, 'in_progress', { ...call, input: '' }), {
    grown: () => '',
    closed(args, status) {
      const input = customInput(args)
      const frames =
        place.emit('response.custom_tool_call_input.delta', { ...where, delta: input }) +
        place.emit('response.custom_tool_call_input.done', { ...where, input })
      return { item: customCallItem(own, status, { ...call, input }), frames }
    },
  })
}

/** The events for a call's arguments, as deltas and when complete. */
interface Growth {
  grown(piece: string): string
  closed(args: string, status: Status): Closed
}

function growingCall({ index, emit }: Place, opened: Item, { grown, closed }: Growth) {
  let args = ''
  return {
    kind: 'call' as const,
    index,
    opening: emit('response.output_item.added', { output_index: index, item: opened }),
    add(piece: string) {
      args += piece
      return piece === '' ? '' : grown(piece)
    },
    close(status: Status): Closed {
      const { item, frames } = closed(args, status)
      return { item, frames: frames + emit('response.output_item.done', { output_index: index, item }) }
    },
  }
}
