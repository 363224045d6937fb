import { z } from 'zod'
import type { ChatPart, FinishReason } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { citedRange } from '../citation.ts'
import { failureOf, VendorError } from '../failure.ts'
import { parseVendor, parseVendorJson, textOf } from '../json.ts'

const Counted = z.object({ input_tokens: z.number().optional(), output_tokens: z.number().optional() })
const ReportedUsage = z.object({ billed_units: Counted.nullish(), tokens: Counted.nullish() }).nullish()
const Source = z.object({
  id: z.string().nullish(),
  document: z.record(z.string(), z.unknown()).nullish(),
  tool_output: z.record(z.string(), z.unknown()).nullish(),
})
const Cite = z.object({
  start: z.number().nullish(),
  end: z.number().nullish(),
  sources: z.array(Source).nullish(),
})
const Block = z.object({ type: z.string().optional(), text: z.string().optional(), thinking: z.string().optional() })
const Call = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string().nullish() }) })

const Reply = z.object({
  id: z.string(),
  finish_reason: z.string(),
  message: z.object({
    content: z.array(Block).nullish(),
    tool_plan: z.string().nullish(),
    tool_calls: z.array(Call).nullish(),
    citations: z.array(Cite).nullish(),
  }),
  usage: ReportedUsage,
})

export function decodeReply(body: unknown): ChatPart[] {
  const { id, message, finish_reason, usage } = parseVendor(Reply, body)
  return [
    { type: 'start', id, model: '' },
    ...planParts(message.tool_plan),
    ...(message.content ?? []).flatMap(blockParts),
    ...(message.tool_calls ?? []).flatMap((call, index) => callParts(call, index, '{}')),
    ...(message.citations ?? []).flatMap(citationParts),
    ...closingParts(finish_reason, usage),
  ]
}

const Tagged = z.looseObject({ type: z.string() })
const Started = z.object({ id: z.string() })
const inMessage = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ index: z.int().optional(), delta: z.object({ message: z.object(shape) }) })
const Content = inMessage({ content: Block })
const Plan = inMessage({ tool_plan: z.string() })
const CallStart = inMessage({ tool_calls: Call })
const CallEnd = z.object({ index: z.int().optional() })
const CallDelta = inMessage({ tool_calls: z.object({ function: z.object({ arguments: z.string() }) }) })
const Cited = inMessage({ citations: z.union([Cite.transform((one) => [one]), z.array(Cite)]) })
const Ended = z.object({
  delta: z.object({ finish_reason: z.string(), error: z.string().nullish(), usage: ReportedUsage }),
})

export function streamDecoder() {
  const filled = new Set<number>()
  return (event: StreamEvent) => decodeEvent(event, filled)
}

/** A call without arguments gets none, but clients expect an empty object. */
function decodeEvent(event: StreamEvent, filled: Set<number>): ChatPart[] {
  const message = parseVendor(Tagged, parseVendorJson(event.data))
  switch (message.type) {
    case 'message-start':
      return [{ type: 'start', id: parseVendor(Started, message).id, model: '' }]
    case 'tool-plan-delta':
      return planParts(parseVendor(Plan, message).delta.message.tool_plan)
    case 'content-start':
    case 'content-delta':
      return blockParts(parseVendor(Content, message).delta.message.content)
    case 'tool-call-start': {
      const { index = 0, delta } = parseVendor(CallStart, message)
      if (isGiven(delta.message.tool_calls.function.arguments)) filled.add(index)
      return callParts(delta.message.tool_calls, index)
    }
    case 'tool-call-delta': {
      const { index = 0, delta } = parseVendor(CallDelta, message)
      const piece = delta.message.tool_calls.function.arguments
      if (!filled.has(index) && !isGiven(piece)) return []
      filled.add(index)
      return argumentParts(piece, index)
    }
    case 'tool-call-end': {
      const { index = 0 } = parseVendor(CallEnd, message)
      return filled.has(index) ? [] : argumentParts('{}', index)
    }
    case 'citation-start':
      return parseVendor(Cited, message).delta.message.citations.flatMap(citationParts)
    case 'message-end': {
      const { finish_reason, error, usage } = parseVendor(Ended, message).delta
      return closingParts(finish_reason, usage, error)
    }
    default:
      return [] // ends of texts and citations, debug events and kinds we do not know yet
  }
}

const planParts = (plan: string | null | undefined): ChatPart[] =>
  plan ? [{ type: 'reasoning', choice: 0, text: plan }] : []

function blockParts({ text = '', thinking = '' }: z.infer<typeof Block>): ChatPart[] {
  const parts: ChatPart[] = []
  if (thinking !== '') parts.push({ type: 'reasoning', choice: 0, text: thinking })
  if (text !== '') parts.push({ type: 'text', choice: 0, text })
  return parts
}

/** A tool without arguments is called with nothing, or with the text `null`. */
const isGiven = (args: string | null | undefined): args is string => !!args && args.trim() !== 'null'

const callParts = (
  { id, function: { name, arguments: args } }: z.infer<typeof Call>,
  call: number,
  none = '',
): ChatPart[] => [{ type: 'tool-call', choice: 0, call, id, name, arguments: isGiven(args) ? args : none }]

const argumentParts = (args: string, call: number): ChatPart[] =>
  args === '' ? [] : [{ type: 'tool-call', choice: 0, call, arguments: args }]

/** Documents and tool outputs are the caller's own; those without a URL have a name. */
const citationParts = ({ start, end, sources }: z.infer<typeof Cite>): ChatPart[] =>
  (sources ?? []).flatMap(({ id, document, tool_output }): ChatPart[] => {
    const { url, title, id: own } = document ?? tool_output ?? {}
    const more = { ...(typeof title === 'string' ? { title } : {}), ...citedRange(start, end) }
    if (typeof url === 'string') return [{ type: 'citation', choice: 0, url, ...more }]
    const name = textOf(own) ?? id
    return name ? [{ type: 'citation', choice: 0, url: name, document: true, ...more }] : []
  })

const FINISH = new Map<string, FinishReason>([
  ['COMPLETE', 'stop'],
  ['STOP_SEQUENCE', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['TOOL_CALL', 'tool_calls'],
  ['ERROR_LIMIT', 'length'],
  ['ERROR_TOXIC', 'content_filter'],
])

function closingParts(
  finishReason: string,
  usage: z.infer<typeof ReportedUsage>,
  error?: string | null | undefined,
): ChatPart[] {
  if (finishReason === 'ERROR' || finishReason === 'TIMEOUT') {
    const failureClass = finishReason === 'TIMEOUT' ? 'timeout' : 'server'
    throw new VendorError(failureOf(failureClass, error ?? `Cohere stopped with ${finishReason}`))
  }
  return [{ type: 'finish', choice: 0, reason: FINISH.get(finishReason) ?? 'stop' }, ...usageParts(usage)]
}

/** `tokens` includes Cohere's own prompt around the caller's, which it does not bill. */
function usageParts(usage: z.infer<typeof ReportedUsage>): ChatPart[] {
  const counted = usage?.billed_units ?? usage?.tokens
  if (counted === undefined || counted === null) return []
  return [{ type: 'usage', usage: { input: counted.input_tokens ?? 0, output: counted.output_tokens ?? 0 } }]
}
