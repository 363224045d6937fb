import { z } from 'zod'
import type { ChatPart } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { type FailureClass, failureOf, VendorError } from '../failure.ts'
import { parseVendor, parseVendorJson } from '../json.ts'

const Header = z.object({ code: z.int(), message: z.string().default(''), sid: z.string().default('') })
const Text = z.object({
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  function_call: z.object({ name: z.string(), arguments: z.string().nullish() }).nullish(),
})
const Payload = z.object({
  choices: z.object({ status: z.int().optional(), text: z.array(Text).default([]) }).optional(),
  usage: z.object({ text: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }) }).nullish(),
})
const Frame = z.object({ header: Header, payload: Payload.nullish() })

/** The collected frames of a stream; there is no other kind of answer. */
export const decodeReply = (body: unknown): ChatPart[] => (Array.isArray(body) ? body : [body]).flatMap(frameDecoder())

export function streamDecoder() {
  const decode = frameDecoder()
  return ({ data }: StreamEvent) => decode(parseVendorJson(data))
}

const LAST = 2

function frameDecoder() {
  let started = false
  let called = false
  return (frame: unknown): ChatPart[] => {
    const { header, payload } = parseVendor(Frame, frame)
    if (header.code !== 0) throw new VendorError(failure(header.code, header.message))
    const parts: ChatPart[] = started ? [] : [{ type: 'start', id: header.sid, model: '' }]
    started = true
    for (const text of payload?.choices?.text ?? []) {
      const call = text.function_call
      if (text.reasoning_content) parts.push({ type: 'reasoning', choice: 0, text: text.reasoning_content })
      if (text.content) parts.push({ type: 'text', choice: 0, text: text.content })
      if (call == null) continue
      called = true
      parts.push(callPart(call, header.sid))
    }
    if (payload?.choices?.status === LAST)
      parts.push({ type: 'finish', choice: 0, reason: called ? 'tool_calls' : 'stop' })
    const usage = payload?.usage?.text
    if (usage !== undefined)
      parts.push({ type: 'usage', usage: { input: usage.prompt_tokens, output: usage.completion_tokens } })
    return parts
  }
}

/** A single call arrives whole, without an id. */
const callPart = (call: { name: string; arguments?: string | null | undefined }, sid: string): ChatPart => ({
  type: 'tool-call',
  choice: 0,
  call: 0,
  id: `call_${sid}`,
  name: call.name,
  arguments: call.arguments || '{}',
})

const failure = (code: number, message: string) =>
  failureOf(CLASSES[code] ?? 'server', message || `Spark answered with code ${code}`, { code: String(code) })

/** Codes not listed here are server errors. */
const CLASSES: Record<number, FailureClass> = {
  10003: 'client', // the message is malformed
  10004: 'client',
  10005: 'client',
  10006: 'rate', // concurrent call of the same user
  10007: 'rate',
  10013: 'client', // prompt rejected by content review
  10014: 'client', // answer rejected by content review
  10015: 'auth', // app is blocked
  10016: 'auth',
  10019: 'client', // conversation rejected by content review
  10110: 'rate',
  10163: 'client',
  10907: 'client', // too many tokens
  11200: 'auth', // no licence for this version
  11201: 'quota', // daily call quota exhausted
  11202: 'rate',
  11203: 'rate',
}
