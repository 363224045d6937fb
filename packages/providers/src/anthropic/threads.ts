import { z } from 'zod'
import type { ChatRequest } from '../chat.ts'
import type { AnswerMeta, ParseHints } from '../dialect.ts'
import { failureOf, VendorError } from '../failure.ts'
import { defined, type Fields, fieldsOf, listOf, textOf } from '../json.ts'

/*
 * Anthropic stores conversations on request: `thread: { type: 'create' }` starts one, and later calls send only what is new
 * and name the answer they follow. Its tool runner does so by default. Each answer is stored as its own delta, with a link
 * to the previous one.
 */

/** Expands a body that continues an earlier answer into the whole conversation. */
export function expandThread(body: unknown, hints: ParseHints): unknown {
  const own = fieldsOf(body)
  const { type, previous_message_id: previous } = fieldsOf(own.thread)
  if (type !== 'continue') return body
  const { given, messages } = conversationTo(String(previous), hints)
  return { ...own, ...given, messages: [...messages, ...listOf(own.messages)] }
}

/** The new part of this call, for callers who will continue from it. */
export function toTurn(body: unknown): ChatRequest['turn'] | undefined {
  const { thread, messages, system, tools } = fieldsOf(body)
  const { type, previous_message_id: previous } = fieldsOf(thread)
  if (type === 'create') return { input: listOf(messages), given: defined({ system, tools }) }
  return type === 'continue' ? defined({ previous: textOf(previous), input: listOf(messages) }) : undefined
}

export function keep({ id, remember, request: { turn } }: AnswerMeta, answer: readonly object[]) {
  if (turn === undefined) return
  const kept = { id: `msg_${id}`, ...turn, answer }
  remember?.([kept])
}

const Turn = z.object({
  previous: z.string().optional(),
  given: z.record(z.string(), z.unknown()).optional(),
  input: z.array(z.unknown()),
  answer: z.array(z.unknown()),
})

function conversationTo(last: string, { recall }: ParseHints): { given: Fields; messages: unknown[] } {
  const messages: unknown[] = []
  let given: Fields = {}
  for (let id: string | undefined = last; id !== undefined; ) {
    const turn: z.infer<typeof Turn> | undefined = Turn.safeParse(recall?.(id)).data
    if (turn === undefined) throw notFound(last)
    const { input, answer } = turn
    messages.unshift(...input, ...(answer.length === 0 ? [] : [{ role: 'assistant', content: answer }]))
    given = turn.given ?? {}
    id = turn.previous
  }
  return { given, messages }
}

/** Anthropic's own code: its client then resends the whole conversation by itself. */
const notFound = (id: string) =>
  new VendorError(
    failureOf('client', `The message '${id}' is not known here, or not any more; send the conversation itself`, {
      status: 404,
      code: THREAD_NOT_FOUND,
      param: 'thread',
    }),
  )

export const THREAD_NOT_FOUND = 'thread_not_found'
