import { z } from 'zod'
import type { ChatPart, FinishReason } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { parseVendor, parseVendorJson } from '../json.ts'
import { throwFailure } from './errors.ts'

/** A whole answer, or one stream event, which also says whether it is the last. */
const Reply = z.object({
  id: z.string().default(''),
  result: z.string().default(''),
  is_end: z.boolean().optional(),
  is_truncated: z.boolean().nullish(),
  need_clear_history: z.boolean().nullish(),
  finish_reason: z.string().nullish(),
  function_call: z.object({ name: z.string(), arguments: z.string().default('') }).nullish(),
  search_info: z
    .object({ search_results: z.array(z.object({ url: z.string(), title: z.string().optional() })).nullish() })
    .nullish(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number().default(0) }).nullish(),
})
type Reply = z.infer<typeof Reply>

export const decodeReply = (body: unknown): ChatPart[] => replyDecoder({ streamed: false })(body)

export function streamDecoder() {
  const decode = replyDecoder({ streamed: true })
  return ({ data }: StreamEvent) => decode(parseVendorJson(data))
}

function replyDecoder({ streamed }: { streamed: boolean }) {
  let started = false
  let called = false
  const cited = new Set<string>()
  return (body: unknown): ChatPart[] => {
    throwFailure(body)
    const reply = parseVendor(Reply, body)
    const parts: ChatPart[] = started ? [] : [{ type: 'start', id: reply.id, model: '' }]
    started = true
    if (reply.result !== '') parts.push({ type: 'text', choice: 0, text: reply.result })
    if (reply.function_call != null && !called) {
      called = true
      parts.push(callPart(reply.function_call, reply.id))
    }
    for (const { url, title } of reply.search_info?.search_results ?? []) {
      if (cited.has(url)) continue
      cited.add(url)
      parts.push({ type: 'citation', choice: 0, url, ...(title === undefined ? {} : { title }) })
    }
    if (reply.is_end ?? !streamed)
      parts.push({ type: 'finish', choice: 0, reason: called ? 'tool_calls' : finishReason(reply) })
    if (reply.usage != null)
      parts.push({
        type: 'usage',
        usage: { input: reply.usage.prompt_tokens, output: reply.usage.completion_tokens },
      })
    return parts
  }
}

/** A call arrives whole and without an id. */
const callPart = (call: { name: string; arguments: string }, id: string): ChatPart => ({
  type: 'tool-call',
  choice: 0,
  call: 0,
  id: `call_${id}`,
  name: call.name,
  arguments: call.arguments || '{}',
})

function finishReason({ finish_reason, is_truncated, need_clear_history }: Reply): FinishReason {
  if (finish_reason === 'content_filter' || need_clear_history) return 'content_filter'
  return finish_reason === 'length' || is_truncated ? 'length' : 'stop'
}
