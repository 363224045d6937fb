import { z } from 'zod'
import { TOKENS_MAX } from '../openai/request-schema.ts'
import { asKnown, Other, shownKind } from '../other-kind.ts'
import { absent } from '../strict.ts'
import { asFunction } from './client-tools.ts'
import { runsAtAnthropic } from './hosted.ts'

/* A Messages request as callers write it; what only Anthropic's own models support is refused or left out. */

const CacheControl = absent(z.looseObject({ ttl: z.string().optional() }))
const cached = { cache_control: CacheControl }

/** Citations are how Claude wrote an earlier answer. */
const Text = z.looseObject({
  type: z.literal('text'),
  text: z.string(),
  citations: z.unknown().optional(),
  ...cached,
})

const Bytes = [
  z.looseObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  z.looseObject({ type: z.literal('url'), url: z.string().min(1) }),
  z.looseObject({ type: z.literal('file'), file_id: z.string() }),
] as const

/** A document may be divided by its caller, into texts and images. */
const Picture = z.looseObject({ type: z.literal('image'), source: z.discriminatedUnion('type', Bytes), ...cached })
const Sections = z.array(z.discriminatedUnion('type', [Text, Picture]))

const Source = z.discriminatedUnion('type', [
  ...Bytes,
  z.looseObject({ type: z.literal('text'), data: z.string() }),
  z.looseObject({ type: z.literal('content'), content: z.union([z.string(), Sections]) }),
])

const Image = z.looseObject({ type: z.literal('image'), source: Source, ...cached })
const Document = z.looseObject({
  type: z.literal('document'),
  source: Source,
  title: absent(z.string()),
  /** What the caller says about it; the model reads it. */
  context: absent(z.string()),
  ...cached,
})
const SearchResult = z.looseObject({
  type: z.literal('search_result'),
  source: z.string(),
  title: z.string(),
  content: z.array(Text),
  ...cached,
})

/** A tool that the client's own search found. Other models have all tools from the beginning. */
const ToolReference = z.looseObject({ type: z.literal('tool_reference'), tool_name: z.string() })

const ResultBlock = z.preprocess(
  asKnown(['text', 'image', 'document', 'search_result', 'tool_reference']),
  z.discriminatedUnion('type', [Text, Image, Document, SearchResult, ToolReference, Other]),
)

const ToolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: absent(z.union([z.string(), z.array(ResultBlock)])),
  is_error: absent(z.boolean()),
  ...cached,
})

/** A summary takes the place of everything before it. */
const Compaction = z.looseObject({ type: z.literal('compaction'), content: absent(z.string()) })

const UserBlock = z.preprocess(
  asKnown(['text', 'image', 'document', 'search_result', 'tool_result', 'compaction']),
  z.discriminatedUnion('type', [Text, Image, Document, SearchResult, ToolResult, Compaction, Other]),
)

const ToolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  ...cached,
})

/** The other blocks are results of Anthropic's own tools in an earlier answer; other models only need the resulting text. */
const AssistantBlock = z.preprocess(
  asKnown(['text', 'thinking', 'redacted_thinking', 'tool_use', 'compaction']),
  z.discriminatedUnion('type', [
    Text,
    z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: absent(z.string()) }),
    z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
    ToolUse,
    Compaction,
    Other,
  ]),
)

/** Changes of the tools are left out: other models have all of them from the beginning. */
const SystemBlock = z.preprocess(asKnown(['text']), z.discriminatedUnion('type', [Text, Other]))

const Message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), content: z.union([z.string(), z.array(UserBlock)]) }),
  z.looseObject({ role: z.literal('assistant'), content: z.union([z.string(), z.array(AssistantBlock)]) }),
  z.looseObject({ role: z.literal('system'), content: absent(z.union([z.string(), z.array(SystemBlock)])) }),
])

/** Where a tool of an unknown type runs is unknown, too. */
const notHere = (kind: unknown) => {
  if (typeof kind !== 'string') return 'the type of a tool has to be text'
  const reason = runsAtAnthropic(kind) ? 'runs at Anthropic' : "is known to Anthropic's models only"
  return `the tool '${shownKind(kind)}' ${reason} and can not be given to this channel's model`
}

const FunctionTool = z.looseObject({
  type: z.literal('custom', { error: ({ input }) => notHere(input) }).nullish(),
  name: z.string().min(1),
  description: absent(z.string()),
  input_schema: z.record(z.string(), z.unknown()),
  strict: absent(z.boolean()),
  ...cached,
})

const Tool = z.preprocess(asFunction, FunctionTool)

const ToolChoice = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal(['auto', 'any']), disable_parallel_tool_use: absent(z.boolean()) }),
  z.looseObject({ type: z.literal('none') }),
  z.looseObject({ type: z.literal('tool'), name: z.string(), disable_parallel_tool_use: absent(z.boolean()) }),
])

const Thinking = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1).max(TOKENS_MAX) }),
  z.looseObject({ type: z.literal(['disabled', 'adaptive', 'between_tools']) }),
])

const Format = absent(z.looseObject({ type: z.literal('json_schema'), schema: z.unknown().optional() }))

export const MessagesRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  max_tokens: z
    .int()
    .min(1, "it has to be 1 or more: this channel's model can not prepare a prompt cache without answering")
    .max(TOKENS_MAX),
  system: absent(z.union([z.string(), z.array(Text)])),
  stream: absent(z.boolean()),
  temperature: absent(z.number()),
  top_p: absent(z.number()),
  top_k: absent(z.int()),
  stop_sequences: absent(z.array(z.string())),
  metadata: absent(z.looseObject({ user_id: absent(z.string()) })),
  tools: absent(z.array(Tool)),
  tool_choice: absent(ToolChoice),
  thinking: absent(Thinking),
  output_config: absent(z.looseObject({ effort: absent(z.string()), format: Format })),
  /** The older name of the format, before `output_config`. */
  output_format: Format,
})

export type MessagesRequest = z.infer<typeof MessagesRequest>
export type AnthropicMessage = z.infer<typeof Message>
export type UserBlock = z.infer<typeof UserBlock>
export type AssistantBlock = z.infer<typeof AssistantBlock>
export type ToolResultBlock = z.infer<typeof ToolResult>
export type ResultBlock = z.infer<typeof ResultBlock>
export type TextBlock = z.infer<typeof Text>
