import { allRead } from '../all-read.ts'
import { type Fields, fieldsOf, isFields, jsonOrUndefined, listOf } from '../json.ts'
import { jsonInstruction } from '../json-instruction.ts'

/**
 * What a vendor of OpenAI's dialect refuses although the dialect allows it. One description for both lanes: it is fixed in
 * bodies written by callers and in translated ones.
 */
export interface Quirks {
  /** False when requesting usage in a stream is an error; such vendors send it anyway. */
  streamOptions?: boolean
  /** Parameters that the vendor refuses, and that can be dropped without changing the answer's meaning. */
  without?: readonly DroppedMember[]
  /** The same where it depends on the model, or on the value. */
  refuses?(model: string, body: Fields): readonly DroppedMember[]
  /** Parameters that the vendor knows under an older name, or one of its own. */
  renamed?: Readonly<Record<string, string>>
  /** The effort that the vendor knows for the requested one; undefined where it refuses any. */
  effort?(model: string, effort: string): string | undefined
  /** Whether the model's thinking is ended by `thinking`, because an effort of none is no word for it. */
  switchesThinking?(model: string): boolean
  /** The vendor refuses a format for the answer beside tools: it becomes an instruction. */
  noJsonWithTools?: true
  /** The vendor has JSON mode and refuses a schema for it: the schema becomes an instruction. */
  noJsonSchema?: true
  /** The vendor refuses the role `developer`. */
  systemOnly?: true
  messages?: MessageQuirk
}

/** An empty list of stop sequences, or none, changes nothing by its absence. */
type DroppedMember = DroppedParameter | OpenAiMember | 'stop'
type DroppedParameter = (typeof DROPPED)[number]
const DROPPED = [
  ...(['temperature', 'top_p', 'top_k', 'user'] as const),
  ...(['reasoning_effort', 'presence_penalty', 'frequency_penalty'] as const),
] as const
/** What only OpenAI has. */
type OpenAiMember = 'store' | 'service_tier' | 'verbosity' | 'prompt_cache_key' | 'safety_identifier'

export interface MessageQuirk {
  /** Matches the text of a body that needs the fix: others are not even parsed. */
  concerns: RegExp
  rewrite(message: Fields): Fields
  /** All messages, where the vendor refuses some orders. */
  order?(messages: readonly unknown[]): unknown[]
}

/** The parameters of every dialect among the dropped ones. */
export const droppedParameters = ({ without = [], refuses, effort }: Quirks, model: string): DroppedParameter[] => {
  const refusesEffort = effort !== undefined && effort(model, 'high') === undefined
  const refused = [...without, ...(refuses?.(model, {}) ?? []), ...(refusesEffort ? ['reasoning_effort'] : [])]
  return DROPPED.filter((name) => refused.includes(name))
}

/** Applies the quirks to a translated body. */
export function withQuirks(body: Fields, quirks: Quirks): Fields {
  const { streamOptions = true, without = [], refuses } = quirks
  const refused = new Set<string>([...without, ...(refuses?.(String(body.model), body) ?? [])])
  if (!streamOptions) refused.add('stream_options')
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !refused.has(name)))
  return rewritten(kept, quirks)
}

/** The same for a caller's own body, which is otherwise passed byte for byte. */
export function nativeQuirks(quirks: Quirks) {
  const {
    streamOptions = true,
    without = [],
    refuses,
    renamed,
    systemOnly,
    messages,
    noJsonWithTools,
    noJsonSchema,
    effort,
    switchesThinking,
    ...rest
  } = quirks
  allRead(rest)
  const refusedEffort = (model: string, { reasoning_effort: requested }: Fields): DroppedMember[] =>
    effort !== undefined && typeof requested === 'string' && effort(model, requested) === undefined
      ? ['reasoning_effort']
      : []
  const texts = [
    ...(renamed === undefined ? [] : [`"(?:${Object.keys(renamed).join('|')})"`]),
    ...(systemOnly ? ['"developer"'] : []),
    ...(noJsonWithTools || noJsonSchema ? ['"response_format"'] : []),
    ...(effort === undefined && switchesThinking === undefined ? [] : ['"reasoning_effort"']),
    ...(messages === undefined ? [] : [messages.concerns.source]),
  ]
  const concerns = new RegExp(texts.join('|'))
  return {
    ...(streamOptions ? {} : { streamOptions: () => false }),
    ...(without.length === 0 && refuses === undefined && effort === undefined
      ? {}
      : {
          without: (operation: string, model: string, body: Fields) =>
            operation === CHATS ? [...without, ...(refuses?.(model, body) ?? []), ...refusedEffort(model, body)] : [],
        }),
    ...(texts.length === 0
      ? {}
      : {
          amend: (operation: string, body: string) =>
            operation === CHATS && concerns.test(body) ? amended(body, quirks) : body,
        }),
  }
}

const CHATS = 'chat/completions'

function amended(body: string, quirks: Quirks) {
  const request = jsonOrUndefined(body)
  return isFields(request) ? JSON.stringify(rewritten(request, quirks)) : body
}

function rewritten(body: Fields, quirks: Quirks): Fields {
  const { renamed = {}, systemOnly, messages, effort, switchesThinking } = quirks
  const named = withKnownFormat(body, quirks)
  if (named.reasoning_effort === 'none' && switchesThinking?.(String(named.model))) {
    delete named.reasoning_effort
    named.thinking = { type: 'disabled' }
  }
  if (effort !== undefined && typeof named.reasoning_effort === 'string') {
    const known = effort(String(named.model), named.reasoning_effort)
    if (known === undefined) delete named.reasoning_effort
    else named.reasoning_effort = known
  }
  for (const [name, own] of Object.entries(renamed)) {
    // OpenAI's name counts where a caller uses both.
    if (named[name] != null) named[own] = named[name]
    delete named[name]
  }
  if (systemOnly === undefined && messages === undefined) return named
  const rewrite = (message: Fields) => {
    const known = systemOnly && message.role === 'developer' ? { ...message, role: 'system' } : message
    return messages === undefined ? known : messages.rewrite(known)
  }
  const known = listOf(named.messages).map((message) => (isFields(message) ? rewrite(message) : message))
  return { ...named, messages: messages?.order?.(known) ?? known }
}

function withKnownFormat(body: Fields, { noJsonWithTools, noJsonSchema }: Quirks): Fields {
  if (noJsonWithTools) return withFormatInWords(body)
  return noJsonSchema ? withSchemaInWords(body) : { ...body }
}

function withSchemaInWords(body: Fields): Fields {
  const { type, json_schema } = fieldsOf(body.response_format)
  if (type !== 'json_schema') return { ...body }
  const words = jsonInstruction(fieldsOf(json_schema).schema)
  const messages = [{ role: 'system', content: words }, ...listOf(body.messages)]
  return { ...body, response_format: { type: 'json_object' }, messages }
}

function withFormatInWords(body: Fields): Fields {
  const { response_format: format, ...rest } = body
  const { type, json_schema } = fieldsOf(format)
  if (listOf(body.tools).length === 0 || (type !== 'json_object' && type !== 'json_schema')) return { ...body }
  // A forced call is the answer, in its own format.
  if (body.tool_choice === 'required' || isFields(body.tool_choice)) return rest
  const words = jsonInstruction(type === 'json_schema' ? fieldsOf(json_schema).schema : undefined)
  return { ...rest, messages: [{ role: 'system', content: words }, ...listOf(body.messages)] }
}
