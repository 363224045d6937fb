import { type Fields, isFields } from '@tollgate/providers'

/**
 * A chat's whole answer as the requested stream. Some models do not stream, whatever is requested, and a client that waits for
 * events would see none.
 */
export const responseAsStream = ({ usage, choices, ...rest }: Fields): string => {
  const common = { ...rest, object: 'chat.completion.chunk' }
  const deltas = listOf(choices).map(({ message, ...choice }) => ({ ...choice, delta: deltaOf(message) }))
  const content = event({ ...common, choices: deltas })
  const used = usage === undefined ? '' : event({ ...common, choices: [], usage })
  return `${content}${used}data: [DONE]\n\n`
}

const event = (body: Fields) => `data: ${JSON.stringify(body)}\n\n`

/** In streams tool calls have an index, by which their deltas are joined. */
function deltaOf(message: unknown): Fields {
  const fields = isFields(message) ? message : {}
  const calls = listOf(fields.tool_calls).map((call, index) => ({ index, ...call }))
  return calls.length === 0 ? fields : { ...fields, tool_calls: calls }
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])
