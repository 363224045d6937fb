import { z } from 'zod'
import { standardBase64 } from '../base64.ts'
import { isFields } from '../json.ts'
import { TOKENS_MAX } from '../openai/request-schema.ts'
import { absent } from '../strict.ts'

/*
 * A generateContent request as callers write it. Google accepts member names in either spelling, `inlineData` and
 * `inline_data`, a single object for a list of one, and constants in small letters: its own examples have all three. Names inside
 * arguments and schemas are the caller's and stay unchanged.
 */

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const camelNames = (value: unknown) =>
  isFields(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [camel(name), member])) : value

const message = <Shape extends z.ZodRawShape>(shape: Shape) => z.preprocess(camelNames, z.looseObject(shape))

const inList = (value: unknown) => (isFields(value) ? [value] : value)
const listOf = <Item extends z.ZodType>(item: Item) => z.preprocess(inList, z.array(item))

const inCapitals = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value)

const Arguments = z.record(z.string(), z.unknown())

const Media = {
  inlineData: absent(
    message({ mimeType: z.string(), data: z.string().transform(standardBase64), displayName: absent(z.string()) }),
  ),
  fileData: absent(message({ fileUri: z.string(), mimeType: absent(z.string()), displayName: absent(z.string()) })),
}

const Part = message({
  text: absent(z.string()),
  thought: absent(z.boolean()),
  thoughtSignature: absent(z.string()),
  ...Media,
  functionCall: absent(message({ id: absent(z.string()), name: z.string(), args: absent(Arguments) })),
  functionResponse: absent(
    message({
      id: absent(z.string()),
      name: z.string(),
      response: absent(Arguments),
      parts: absent(listOf(message(Media))),
    }),
  ),
})

const Content = message({
  role: absent(z.enum(['user', 'model', 'function', 'system'])),
  parts: listOf(Part),
})

const Declaration = message({
  name: z.string().min(1),
  description: absent(z.string()),
  parameters: z.unknown().optional(),
  parametersJsonSchema: z.unknown().optional(),
})

const Tool = message({
  functionDeclarations: absent(listOf(Declaration)),
  googleSearch: absent(message({ excludeDomains: absent(z.array(z.string())) })),
  /** The search of the first models. */
  googleSearchRetrieval: absent(message({})),
}).superRefine((tool, context) => {
  const own = Object.keys(tool).find((name) => !TOOLS.has(name))
  if (own === undefined) return
  context.addIssue({
    code: 'custom',
    path: [own],
    message: "tools that run at Google can not be given to this channel's model",
  })
})

const TOOLS: ReadonlySet<string> = new Set(['functionDeclarations', 'googleSearch', 'googleSearchRetrieval'])

const number = absent(z.number())

const CONFIG = {
  maxOutputTokens: absent(z.int().min(1).max(TOKENS_MAX)),
  temperature: number,
  topP: number,
  topK: number,
  stopSequences: absent(z.array(z.string())),
  candidateCount: absent(z.int().min(1).max(128)),
  seed: absent(z.int()),
  frequencyPenalty: number,
  presencePenalty: number,
  responseLogprobs: absent(z.boolean()),
  logprobs: absent(z.int().min(0).max(20)),
  responseMimeType: absent(
    z.enum(['text/plain', 'application/json'], "this channel's model answers as 'text/plain' or 'application/json'"),
  ),
  responseSchema: z.unknown().optional(),
  responseJsonSchema: z.unknown().optional(),
  responseModalities: absent(z.array(z.string())),
  speechConfig: absent(
    message({
      voiceConfig: absent(message({ prebuiltVoiceConfig: absent(message({ voiceName: absent(z.string()) })) })),
    }),
  ),
  thinkingConfig: absent(
    message({
      thinkingBudget: absent(z.int().min(-1).max(TOKENS_MAX)),
      thinkingLevel: absent(z.string()),
      includeThoughts: absent(z.boolean()),
    }),
  ),
}

const GenerationConfig = message(CONFIG)

const REQUEST = {
  model: absent(z.string()),
  contents: z.preprocess(inList, z.array(Content).min(1)),
  systemInstruction: absent(z.preprocess((value) => (isFields(value) ? value : { parts: [{ text: value }] }), Content)),
  tools: absent(listOf(Tool)),
  toolConfig: absent(
    message({
      functionCallingConfig: absent(
        message({
          mode: absent(z.preprocess(inCapitals, z.enum(['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED']))),
          allowedFunctionNames: absent(z.array(z.string())),
        }),
      ),
    }),
  ),
  generationConfig: absent(GenerationConfig),
  cachedContent: absent(z.undefined("a prompt cache at Google can not be given to this channel's model")),
}

export const GenerateRequest = message(REQUEST)

/** The known members; others are named in the log when they are dropped. */
export const GENERATE_MEMBERS = Object.keys(REQUEST)
export const CONFIG_MEMBERS = Object.keys(CONFIG)

export type GenerateRequest = z.infer<typeof GenerateRequest>
export type GenerateContent = z.infer<typeof Content>
export type GeneratePart = z.infer<typeof Part>
