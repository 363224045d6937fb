import { z } from 'zod'
import { fieldsOf, textOf } from '../json.ts'

/** A stored response: see `keep`. */
const Stored = z.object({
  id: z.string(),
  input: z.array(z.unknown()),
  output: z.array(z.string()),
  response: z.looseObject({ object: z.literal('response') }),
})

export type StoredResponse = z.infer<typeof Stored>

/** Undefined for anything that is not a response, such as an item of one. */
export const readStoredResponse = (remembered: unknown): StoredResponse | undefined => Stored.safeParse(remembered).data

/** The response as it was answered, with its items restored. */
export const shownResponse = ({ response }: StoredResponse, output: readonly unknown[]) => ({ ...response, output })

/** The caller's input of that turn in OpenAI's list format: every item has an id and its content in parts. */
export const inputItemsOf = ({ id, input }: StoredResponse): { id: string }[] =>
  input.map((item, index) => {
    const fields = fieldsOf(item)
    const type = textOf(fields.type) ?? 'message'
    const known = {
      ...fields,
      id: textOf(fields.id) ?? `${PREFIXES.get(type) ?? 'item'}_${id.slice(5)}_in_${index}`,
      type,
    }
    if (type !== 'message') return known
    return { ...known, status: 'completed', content: partsOf(fields.content, fields.role === 'assistant') }
  })

const PREFIXES = new Map<string, string>([
  ['message', 'msg'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
  ['shell_call_output', 'sho'],
  ['apply_patch_call_output', 'apco'],
])

const partsOf = (content: unknown, isAnswer: boolean) => {
  if (typeof content !== 'string') return content
  return [isAnswer ? { type: 'output_text', text: content, annotations: [] } : { type: 'input_text', text: content }]
}
