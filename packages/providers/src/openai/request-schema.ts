import { z } from 'zod'
import { asKnown, Other } from '../other-kind.ts'
import { absent } from '../strict.ts'
import { argumentsInOpenAiForm, choiceInOpenAiForm, partInOpenAiForm } from './mistral-form.ts'

/*
 * A chat completion request as callers write it. Known members are parsed strictly; unknown ones stay in the body, because a
 * vendor of the same dialect may know them.
 */

/** Not part of OpenAI's API, but used by its clients for vendors with explicit cache marks. */
const CacheControl = absent(z.looseObject({ ttl: z.string().optional() }))

export const Breakpoint = absent(z.looseObject({ mode: z.unknown().optional(), ttl: absent(z.string()) }))

/** Where a prompt cache should end: as OpenAI's API has it, and as that of others. */
const cached = { cache_control: CacheControl, prompt_cache_breakpoint: Breakpoint }

const Text = z.looseObject({ type: z.literal('text'), text: z.string(), ...cached })

const Image = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string().min(1), detail: absent(z.string()) }),
  ...cached,
})

const Audio = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
})

const File = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({ file_data: absent(z.string()), file_id: absent(z.string()), filename: absent(z.string()) }),
  ...cached,
})

const Refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() })

const asKnownPart = asKnown(['text', 'image_url', 'input_audio', 'file'])
const UserPart = z.preprocess(
  (part) => asKnownPart(partInOpenAiForm(part)),
  z.discriminatedUnion('type', [Text, Image, Audio, File, Other]),
)
/** Other parts are reasoning, which some vendors have in the text. */
const AssistantPart = z.preprocess(asKnown(['text', 'refusal']), z.discriminatedUnion('type', [Text, Refusal, Other]))

const texts = z.union([z.string(), z.array(Text)])

const CustomCall = z.looseObject({
  id: z.string(),
  type: z.literal('custom'),
  custom: z.looseObject({ name: z.string().min(1), input: z.string() }),
})

const FunctionToolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().min(1),
    arguments: z.preprocess(argumentsInOpenAiForm, z.string().default('')),
  }),
  /** Where Google's own OpenAI-compatible API puts the signature of a call. */
  extra_content: absent(z.looseObject({ google: absent(z.looseObject({ thought_signature: absent(z.string()) })) })),
})

/** Some clients omit the type of a call. */
const ToolCall = z.preprocess(
  (call) => (typeof call === 'object' && call !== null ? { type: 'function', ...call } : call),
  z.discriminatedUnion('type', [FunctionToolCall, CustomCall]),
)

const FunctionCall = z.looseObject({ name: z.string().min(1), arguments: z.string() })

const Message = z.discriminatedUnion(
  'role',
  [
    z.looseObject({ role: z.literal(['system', 'developer']), content: texts }),
    z.looseObject({
      role: z.literal('user'),
      content: z.union([z.string(), z.array(UserPart)]),
      name: absent(z.string()),
    }),
    z.looseObject({
      role: z.literal('assistant'),
      content: absent(z.union([z.string(), z.array(AssistantPart)])),
      refusal: absent(z.string()),
      /** The reasoning of an earlier answer, under the name that vendors use for it. */
      reasoning_content: absent(z.string()),
      reasoning: absent(z.string()),
      reasoning_details: absent(z.array(z.looseObject({ type: z.string() }))),
      tool_calls: absent(z.array(ToolCall)),
      function_call: absent(FunctionCall),
    }),
    z.looseObject({
      role: z.literal('tool'),
      content: z.union([z.string(), z.array(UserPart)]),
      tool_call_id: z.string(),
      name: absent(z.string()),
    }),
    z.looseObject({ role: z.literal('function'), content: absent(texts), name: z.string() }),
  ],
  { error: "a message is of the role 'system', 'developer', 'user', 'assistant' or 'tool'" },
)

const FunctionDefinition = z.looseObject({
  name: z.string().min(1),
  description: absent(z.string()),
  parameters: z.unknown().optional(),
  strict: absent(z.boolean()),
})

const FunctionTool = z.looseObject({
  type: z.literal('function'),
  function: FunctionDefinition,
  cache_control: CacheControl,
})

const CustomTool = z.looseObject({
  type: z.literal('custom'),
  custom: z.looseObject({
    name: z.string().min(1),
    description: absent(z.string()),
    format: absent(
      z.looseObject({
        grammar: absent(z.looseObject({ syntax: absent(z.string()), definition: absent(z.string()) })),
      }),
    ),
  }),
})

const Tool = z.discriminatedUnion('type', [FunctionTool, CustomTool], {
  error: 'only tools of type "function" or "custom" can be given to this model',
})

const Named = z.looseObject({ name: z.string().min(1) }).transform(({ name }) => ({ name }))

const ToolChoice = z.union([
  z.preprocess(choiceInOpenAiForm, z.enum(['none', 'auto', 'required'])),
  z.looseObject({ type: z.literal('function'), function: Named }).transform((choice) => choice.function),
  z.looseObject({ type: z.literal('custom'), custom: Named }).transform((choice) => choice.custom),
  z
    .looseObject({
      type: z.literal('allowed_tools'),
      allowed_tools: z.looseObject({
        mode: z.enum(['auto', 'required']),
        tools: z.array(
          z.union([
            z.looseObject({ function: Named }).transform((tool) => tool.function.name),
            z.looseObject({ custom: Named }).transform((tool) => tool.custom.name),
          ]),
        ),
      }),
    })
    .transform(({ allowed_tools: { mode, tools } }) => ({ mode, allowed: tools })),
])

const ResponseFormat = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('text') }),
    z.looseObject({ type: z.literal('json_object') }),
    z.looseObject({
      type: z.literal('json_schema'),
      json_schema: z.looseObject({ name: z.string(), schema: z.unknown().optional(), strict: absent(z.boolean()) }),
    }),
  ],
  { error: "this channel's model answers as 'text', 'json_object' or 'json_schema'" },
)

export const TOKENS_MAX = 1_073_741_823
const tokens = absent(z.int().min(1).max(TOKENS_MAX))
const number = absent(z.number())

export const ChatCompletionRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  stream: absent(z.boolean()),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  temperature: number,
  top_p: number,
  top_k: number,
  stop: absent(z.union([z.string(), z.array(z.string())])),
  n: absent(z.int().min(1).max(128)),
  seed: absent(z.int()),
  frequency_penalty: number,
  presence_penalty: number,
  logprobs: absent(z.boolean()),
  top_logprobs: absent(z.int().min(0).max(20)),
  user: absent(z.string()),
  tools: absent(z.array(Tool)),
  tool_choice: absent(ToolChoice),
  parallel_tool_calls: absent(z.boolean()),
  functions: absent(z.array(FunctionDefinition)),
  function_call: absent(z.union([z.enum(['none', 'auto']), Named])),
  response_format: absent(ResponseFormat),
  reasoning_effort: absent(z.string()),
  modalities: absent(z.array(z.string())),
  audio: absent(z.looseObject({ voice: z.unknown().optional(), format: absent(z.string()) })),
  /** OpenRouter's form of it. */
  reasoning: absent(z.looseObject({ effort: absent(z.string()), max_tokens: tokens })),
})

export type ChatCompletionRequest = z.infer<typeof ChatCompletionRequest>
export type ChatCompletionMessage = z.infer<typeof Message>
