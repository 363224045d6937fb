import { z } from 'zod'
import { TOKENS_MAX } from '../openai/request-schema.ts'
import { absent } from '../strict.ts'
import { Tool, ToolChoice } from './tool-schema.ts'

/* A Responses request as callers write it, for models without Responses: nothing is stored between calls. */

const Text = z.looseObject({ type: z.literal(['input_text', 'output_text', 'text']), text: z.string() })
const Image = z.looseObject({
  type: z.literal('input_image'),
  image_url: z.string('an image has to be sent by its URL or as data').min(1),
  detail: absent(z.string()),
})
const File = z.looseObject({
  type: z.literal('input_file'),
  file_data: absent(z.string()),
  file_url: absent(z.string()),
  file_id: absent(z.string()),
  filename: absent(z.string()),
})
const Audio = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
})
const Refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() })

const Message = z.looseObject({
  type: z.literal('message').default('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image, File, Audio, Refusal]))]),
})

const FunctionCall = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  namespace: absent(z.string()),
  arguments: z.string(),
})

const Output = z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image]))])

const FunctionCallOutput = z.looseObject({
  type: z.literal('function_call_output'),
  call_id: z.string(),
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

/** Results of OpenAI's server tools in an earlier answer; other models only need the resulting text. */
const Past = z.looseObject({
  type: z.literal([
    'web_search_call',
    'file_search_call',
    'code_interpreter_call',
    'image_generation_call',
    'mcp_list_tools',
    'mcp_call',
    'mcp_approval_request',
    'mcp_approval_response',
    'tool_search_call',
    'tool_search_output',
    'local_shell_call',
    'local_shell_call_output',
    'shell_call',
    'shell_call_output',
    'apply_patch_call',
    'apply_patch_call_output',
    'computer_call',
    'computer_call_output',
  ]),
})

const Item = z.discriminatedUnion('type', [
  Message,
  FunctionCall,
  FunctionCallOutput,
  CustomCall,
  CustomCallOutput,
  Reasoning,
  Past,
])

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

const stateless = (what: string) => z.null(`${what}: this channel keeps nothing between calls`).optional()

export const ResponsesRequest = z.looseObject({
  model: z.string().min(1),
  /** The type of a message is optional. */
  input: z.union([
    z.string(),
    z.array(z.preprocess((item) => (isMessage(item) ? { type: 'message', ...item } : item), Item)).min(1),
  ]),
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
  reasoning: absent(z.looseObject({ effort: absent(z.string()) })),
  text: absent(z.looseObject({ format: absent(Format) })),
  user: absent(z.string()),
  store: absent(z.boolean()),
  conversation: stateless('a conversation can not be continued'),
  prompt: stateless('a stored prompt can not be used'),
  background: absent(z.literal(false, 'a response can not be made in the background')),
})

const isMessage = (item: unknown): item is object => typeof item === 'object' && item !== null && !('type' in item)

export type ResponsesRequest = z.infer<typeof ResponsesRequest>
export type InputItem = z.infer<typeof Item>
