import { z } from 'zod'
import type { ChatPart, FinishReason, TokenLogprob } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { failureOf, VendorError } from '../failure.ts'
import { parseVendor, parseVendorJson } from '../json.ts'
import { withoutMarks } from '../tool-name.ts'

const Call = z.object({
  id: z.string().optional(),
  function: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).nullish() }),
})
const Logprob = z.object({ token: z.string(), logprob: z.number() })

/** A whole answer, or one line of a stream: they have the same shape. */
const Reply = z.object({
  model: z.string().default(''),
  created_at: z.string().default(''),
  message: z
    .object({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z.array(Call).nullish(),
    })
    .optional(),
  logprobs: z.array(Logprob.extend({ top_logprobs: z.array(Logprob).nullish() })).nullish(),
  done: z.boolean().default(false),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
})
type Reply = z.infer<typeof Reply>

const Failed = z.object({ error: z.string() })

export const decodeReply = (body: unknown): ChatPart[] => lineDecoder()(body)

export function streamDecoder() {
  const decode = lineDecoder()
  return (event: StreamEvent) => decode(parseVendorJson(event.data))
}

/** Calls arrive whole, but possibly in several lines; they are numbered across all of them. */
function lineDecoder() {
  let started = false
  let callCount = 0
  return (line: unknown): ChatPart[] => {
    const failed = Failed.safeParse(line).data
    if (failed !== undefined) throw new VendorError(failureOf('server', failed.error))
    const reply = parseVendor(Reply, line)
    const parts: ChatPart[] = started ? [] : [{ type: 'start', id: '', model: reply.model }]
    started = true
    const calls = reply.message?.tool_calls ?? []
    parts.push(...contentParts(reply), ...calls.map((call, index) => callPart(call, callCount + index, reply)))
    callCount += calls.length
    if (reply.done) parts.push(...closingParts(reply, callCount > 0))
    return parts
  }
}

function contentParts({ message, logprobs }: Reply): ChatPart[] {
  const parts: ChatPart[] = []
  if (message?.thinking) parts.push({ type: 'reasoning', choice: 0, text: message.thinking })
  if (message?.content) parts.push({ type: 'text', choice: 0, text: message.content })
  if (logprobs?.length) parts.push({ type: 'logprobs', choice: 0, tokens: logprobs.map(tokenLogprob) })
  return parts
}

const tokenLogprob = ({ token, logprob, top_logprobs }: NonNullable<Reply['logprobs']>[number]): TokenLogprob => ({
  token,
  logprob,
  top: top_logprobs ?? [],
})

/** Older servers send calls without ids; the time of the answer makes one that is unique in a conversation. */
const callPart = ({ id, function: { name, arguments: args } }: z.infer<typeof Call>, call: number, reply: Reply) => ({
  type: 'tool-call' as const,
  choice: 0,
  call,
  id: id ?? `call_${reply.created_at.replace(/\D/g, '')}_${call}`,
  name: withoutMarks(name),
  arguments: JSON.stringify(args ?? {}),
})

function closingParts({ done_reason, prompt_eval_count, eval_count }: Reply, called: boolean): ChatPart[] {
  const reason: FinishReason = called ? 'tool_calls' : done_reason === 'length' ? 'length' : 'stop'
  const parts: ChatPart[] = [{ type: 'finish', choice: 0, reason }]
  if (prompt_eval_count !== undefined || eval_count !== undefined)
    parts.push({ type: 'usage', usage: { input: prompt_eval_count ?? 0, output: eval_count ?? 0 } })
  return parts
}
