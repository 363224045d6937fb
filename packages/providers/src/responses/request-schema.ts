import { z } from 'zod'
import { Breakpoint, TOKENS_MAX } from '../openai/request-schema.ts'
import { asKnown, Other } from '../other-kind.ts'
import { absent } from '../strict.ts'
import { CLIENT_CALLS, CLIENT_OUTPUTS } from './client-items.ts'
import { CLIENT_TOOLS } from './client-tools.ts'
import { Tool, ToolChoice } from './tool-schema.ts'

/* A Responses request as callers write it, for models without Responses: nothing is stored between calls. */

/** Where a prompt cache should end, as in chats. */
const breakpoint = { prompt_cache_breakpoint: Breakpoint }

const Text = z.looseObject({
  type: z.literal(['input_text', 'output_text', 'text']),
  text: z.string(),
  ...breakpoint,
})
const Image = z.looseObject({
  type: z.literal('input_image'),
  image_url: z.string('an image has to be sent by its URL or as data').min(1),
  detail: absent(z.string()),
  ...breakpoint,
})
const File = z.looseObject({
  type: z.literal('input_file'),
  file_data: absent(z.string()),
  file_url: absent(z.string()),
  file_id: absent(z.string()),
  filename: absent(z.string()),
  ...breakpoint,
})
const Audio = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
})
const Refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() })

const Part = z.preprocess(
  asKnown(['input_text', 'output_text', 'text', 'input_image', 'input_file', 'input_audio', 'refusal']),
  z.discriminatedUnion('type', [Text, Image, File, Audio, Refusal, Other]),
)

const Message = z.looseObject({
  type: z.literal('message').default('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(Part)]),
})

const FunctionCall = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  namespace: absent(z.string()),
  arguments: z.string(),
})

const Output = z.union([z.string(), z.array(Part)])

/** The result of a tool that was awaited for several turns may have the tool's name only. */
const FunctionCallOutput = z.looseObject({
  type: z.literal('function_call_output'),
  call_id: absent(z.string()),
  name: absent(z.string()),
  namespace: absent(z.string()),
  output: Output,
})

/** Calls of custom tools. */
const CustomCall = z.looseObject({
  type: z.literal('custom_tool_call'),
  call_id: z.string(),
  name: z.string(),
  namespace: absent(z.string()),
  input: z.string(),
})

const CustomCallOutput = z.looseObject({
  type: z.literal('custom_tool_call_output'),
  call_id: z.string(),
  output: Output,
})

const Reasoning = z.looseObject({
  type: z.literal('reasoning'),
  summary: z.array(z.looseObject({ text: z.string() })).default([]),
  content: absent(z.array(z.looseObject({ text: z.string() }))),
  encrypted_content: absent(z.string()),
})

/** Tools that are offered in the middle of a conversation, and those that a search found. */
const MoreTools = z.looseObject({ type: z.literal(['additional_tools', 'tool_search_output']), tools: z.array(Tool) })

const Format = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    name: z.string(),
    schema: z.unknown().optional(),
    strict: absent(z.boolean()),
  }),
])

/** New settings from this place of the conversation on. */
const ConfigurationUpdate = z.looseObject({
  type: z.literal('configuration_update'),
  reasoning: absent(z.looseObject({ effort: absent(z.string()) })),
  text: absent(z.looseObject({ format: absent(Format) })),
})

const isMessage = (item: unknown): item is object => typeof item === 'object' && item !== null && !('type' in item)

const ITEMS = [
  ...['message', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output'],
  ...['reasoning', 'additional_tools', 'tool_search_output', 'configuration_update'],
  ...CLIENT_TOOLS.flatMap((type) => [`${type}_call`, `${type}_call_output`]),
]

/** The other items are calls and results of OpenAI's own tools in an earlier answer; other models only need the resulting text. */
const Item = z.preprocess(
  (item) => asKnown(ITEMS)(isMessage(item) ? { type: 'message', ...item } : item),
  z.discriminatedUnion('type', [
    Message,
    FunctionCall,
    FunctionCallOutput,
    CustomCall,
    CustomCallOutput,
    Reasoning,
    MoreTools,
    ...CLIENT_CALLS,
    ...CLIENT_OUTPUTS,
    ConfigurationUpdate,
    Other,
  ]),
)

const stateless = (what: string) => z.null(`${what}: this channel keeps nothing between calls`).optional()

export const ResponsesRequest = z.looseObject({
  model: z.string().min(1),
  /** The type of a message is optional. */
  input: z.union([z.string(), z.array(Item).min(1)]),
  instructions: absent(z.string()),
  stream: absent(z.boolean()),
  max_output_tokens: absent(z.int().min(1).max(TOKENS_MAX)),
  temperature: absent(z.number()),
  top_p: absent(z.number()),
  top_logprobs: absent(z.int().min(0).max(20)),
  include: absent(z.array(z.string())),
  parallel_tool_calls: absent(z.boolean()),
  tools: absent(z.array(Tool)),
  tool_choice: absent(ToolChoice),
  /** A summary is sent whenever there is one. */
  reasoning: absent(
    z.looseObject({
      effort: absent(z.string()),
      summary: z.unknown().optional(),
      generate_summary: z.unknown().optional(),
    }),
  ),
  text: absent(z.looseObject({ format: absent(Format), verbosity: z.unknown().optional() })),
  user: absent(z.string()),
  store: absent(z.boolean()),
  conversation: stateless('a conversation can not be continued'),
  prompt: stateless('a stored prompt can not be used'),
  generate: absent(z.literal(true, 'a response can not be prepared without an answer here')),
  background: absent(z.literal(false, 'a response can not be made in the background')),
})

export type ResponsesRequest = z.infer<typeof ResponsesRequest>
export type InputItem = z.infer<typeof Item>
export type InputPart = z.infer<typeof Part>
