import { z } from 'zod'
import { asKnown, Other } from '../other-kind.ts'
import { absent } from '../strict.ts'
import { CLIENT_TOOLS } from './client-tools.ts'

/* The tools of a Responses request, for models with functions only. */

const FunctionTool = z.looseObject({
  type: z.literal('function'),
  name: z.string().min(1),
  description: absent(z.string()),
  parameters: z.unknown().optional(),
  strict: absent(z.boolean()),
})

const CustomTool = z.looseObject({
  type: z.literal('custom'),
  name: z.string().min(1),
  description: absent(z.string()),
  format: absent(z.looseObject({ syntax: absent(z.string()), definition: absent(z.string()) })),
})

const error = 'a tool has to be an object with a type'

const InNamespace = z.preprocess(
  asKnown(['function', 'custom']),
  z.discriminatedUnion('type', [FunctionTool, CustomTool, Other], { error }),
)

const NamespaceTool = z.looseObject({
  type: z.literal('namespace'),
  name: z.string().min(1),
  description: absent(z.string()),
  tools: z.array(InNamespace),
})

const Skill = z.looseObject({ name: z.string(), description: z.string(), path: z.string() })

/** A shell in a container runs at OpenAI. */
const Client = z.looseObject({
  type: z.literal([...CLIENT_TOOLS]),
  environment: absent(z.looseObject({ type: z.string(), skills: absent(z.array(Skill)) })),
})

export const Tool = z.preprocess(
  asKnown(['function', 'custom', 'namespace', ...CLIENT_TOOLS]),
  z.discriminatedUnion('type', [FunctionTool, CustomTool, NamespaceTool, Client, Other], { error }),
)

const Named = z.looseObject({ type: z.string(), name: absent(z.string()), namespace: absent(z.string()) })

export const ToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('allowed_tools'), mode: z.enum(['auto', 'required']), tools: z.array(Named) }),
  Named.refine(({ type }) => type !== 'allowed_tools'),
])

export type Tool = z.infer<typeof Tool>
export type NamedTool = z.infer<typeof Named>
export type ToolChoice = z.infer<typeof ToolChoice>
