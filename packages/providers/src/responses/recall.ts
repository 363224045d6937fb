import { z } from 'zod'
import type { AnswerMeta, ParseHints } from '../dialect.ts'
import { failureOf, VendorError } from '../failure.ts'
import { defined, fieldsOf } from '../json.ts'
import { badRequest } from '../strict.ts'
import type { Item } from './items.ts'

/*
 * Clients that let the server store the conversation refer to it: to single items by id, or to all of it by the id of the
 * last answer. Each answer is stored as its own delta, with a link to the previous one.
 */

/** The body with all references resolved. */
export function restoreItems(body: unknown, hints: ParseHints): Record<string, unknown> {
  const { input, previous_response_id: previous, ...rest } = fieldsOf(body)
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  if (!Array.isArray(items)) return { ...rest, input }
  const own = items.map((item, index) => toItem(item, `input[${index}].id`, hints))
  return { ...rest, input: [...(previous == null ? [] : conversationTo(String(previous), hints)), ...own] }
}

function toItem(item: unknown, param: string, { recall }: ParseHints): unknown {
  const { type, id, role } = fieldsOf(item)
  // The type of a reference is optional, as that of a message is.
  const isReference = type === 'item_reference' || (type == null && role === undefined && typeof id === 'string')
  if (!isReference) return item
  const known = recall?.(String(id))
  if (known !== undefined) return known
  throw badRequest(param, 'this item is not known here; send `store: false` and the item itself')
}

const Turn = z.object({ previous: z.string().optional(), input: z.array(z.unknown()), output: z.array(z.string()) })

function conversationTo(last: string, { recall }: ParseHints): unknown[] {
  const lost = () => notFound(last)
  const items: unknown[] = []
  for (let id: string | undefined = last; id !== undefined; ) {
    const turn: z.infer<typeof Turn> | undefined = Turn.safeParse(recall?.(id)).data
    if (turn === undefined) throw lost()
    const answered = turn.output.map((item) => recall?.(item))
    if (answered.includes(undefined)) throw lost()
    items.unshift(...turn.input, ...answered)
    id = turn.previous
  }
  return items
}

/** OpenAI's own code, which its clients handle. */
const notFound = (id: string) =>
  new VendorError(
    failureOf('client', `The response '${id}' is not known here, or not any more; send the conversation itself`, {
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    }),
  )

/** Stores an answer unless the caller is stateless. The items of a response are stored separately. */
export function keep(
  { id, remember, request }: AnswerMeta,
  output: readonly Item[],
  response: { output: unknown; tools: readonly unknown[]; instructions: string | null },
) {
  const { stateless, turn } = request
  if (stateless || remember === undefined) return
  remember(output)
  if (turn === undefined) return
  const tools = response.tools.length <= TOOLS_MAX ? response.tools : []
  const instructions = (response.instructions?.length ?? 0) <= INSTRUCTIONS_MAX ? response.instructions : null
  const shown = { ...response, output: undefined, tools, instructions }
  remember([defined({ id: `resp_${id}`, ...turn, output: output.map((item) => item.id), response: shown })])
}

/** Agents resend many tools and long instructions with each call: stored with every answer, they would evict the answers. */
const TOOLS_MAX = 16
const INSTRUCTIONS_MAX = 4000
