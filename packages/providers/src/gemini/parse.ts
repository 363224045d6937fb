import type { ChatRequest, ChatTool, WebSearch } from '../chat.ts'
import type { ParseHints } from '../dialect.ts'
import { foreignMembers } from '../foreign-members.ts'
import { defined, fieldsOf, filled, listOf, textOf } from '../json.ts'
import { badRequest, parseStrict } from '../strict.ts'
import { toolParameters } from '../tool-parameters.ts'
import { unreadMembers } from '../unread-members.ts'
import { toJsonSchema } from './json-schema.ts'
import { toMessages, toTexts } from './parse-contents.ts'
import { CONFIG_MEMBERS, GENERATE_MEMBERS, GenerateRequest } from './request-schema.ts'

/** A generateContent request in the internal format. Model and stream flag come from the URL. */
export function parseGenerate(body: unknown, hints: ParseHints = {}): ChatRequest {
  const request = parseStrict(GenerateRequest, body)
  const { systemInstruction: system, generationConfig: config } = request
  const model = hints.model ?? request.model?.replace(/^models\//, '')
  if (model === undefined) throw badRequest('model', 'the URL names no model')
  return defined({
    model,
    stream: hints.stream ?? false,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: toTexts(system.parts) }]),
      ...toMessages(request.contents),
    ],
    maxTokens: config?.maxOutputTokens,
    temperature: config?.temperature,
    topP: config?.topP,
    topK: config?.topK,
    stop: filled(config?.stopSequences),
    n: config?.candidateCount,
    seed: config?.seed,
    frequencyPenalty: config?.frequencyPenalty,
    presencePenalty: config?.presencePenalty,
    logprobs: config?.responseLogprobs,
    topLogprobs: config?.logprobs,
    ...toTools(request),
    responseFormat: toFormat(config),
    reasoning: toReasoning(config?.thinkingConfig),
    audio: toAudio(config),
    webSearch: toWebSearch(request.tools),
    unread: toUnread(request),
    ...toExtra(request),
  })
}

function toWebSearch(tools: GenerateRequest['tools'] = []): WebSearch | undefined {
  const searches = tools.flatMap(
    ({ googleSearch, googleSearchRetrieval }) => googleSearch ?? googleSearchRetrieval ?? [],
  )
  const [search] = searches
  if (search === undefined) return undefined
  const { excludeDomains } = fieldsOf(search)
  const blockedDomains = listOf(excludeDomains).flatMap((domain) => textOf(domain) ?? [])
  return { name: 'tools.googleSearch', ...(blockedDomains.length === 0 ? {} : { blockedDomains }) }
}

/** Members that nothing reads, and modalities that are neither text nor audio. */
function toUnread(request: GenerateRequest): string[] | undefined {
  const members = unreadMembers(GenerateRequest, request, { open: ['generationConfig'], echoes: ECHOES })
  const misplaced = misplacedParts(request.contents)
  const isOther = request.generationConfig?.responseModalities?.some((name) => !/^(text|audio)$/i.test(name)) === true
  const names = [...(isOther ? ['generationConfig.responseModalities'] : []), ...misplaced, ...(members ?? [])]
  return names.length === 0 ? undefined : names
}

/** Other models have no images or files in their own turns; calls belong to these, and results to the user's. */
function misplacedParts(contents: GenerateRequest['contents']): string[] {
  const names = contents.flatMap(({ role, parts }) => {
    const unread = role === 'model' ? MODEL_UNREAD : USER_UNREAD
    return parts.flatMap((part) => unread.filter((name) => part[name] !== undefined))
  })
  return [...new Set(names)].map((name) => `contents.parts.${name}`)
}

const MODEL_UNREAD = ['inlineData', 'fileData', 'functionResponse'] as const
const USER_UNREAD = ['functionCall'] as const

/** How Google's client marks earlier answers. */
const ECHOES = ['partialArgs', 'willContinue', 'speechMetadata']

/** The remaining parameters; the service tier has another name here. */
function toExtra(request: GenerateRequest) {
  const { serviceTier, ...rest } = Object.fromEntries(Object.entries(request).filter(([name]) => !READ.has(name)))
  const config = Object.entries(request.generationConfig ?? {}).filter(([name]) => !CONFIG_READ.has(name))
  const tier = textOf(serviceTier)?.toLowerCase()
  const service_tier = tier === 'flex' || tier === 'priority' ? tier : undefined
  return foreignMembers({ ...rest, ...Object.fromEntries(config), service_tier })
}

const READ: ReadonlySet<string> = new Set(GENERATE_MEMBERS)
const CONFIG_READ: ReadonlySet<string> = new Set(CONFIG_MEMBERS)

type Config = GenerateRequest['generationConfig']

function toTools({ tools, toolConfig }: GenerateRequest): {
  tools: ChatTool[] | undefined
  toolChoice: ChatRequest['toolChoice'] | undefined
} {
  const all = tools?.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(toTool))
  const { mode, allowedFunctionNames: names = [] } = toolConfig?.functionCallingConfig ?? {}
  const [only] = names
  if (mode === 'ANY' && names.length === 1 && only !== undefined) return { tools: all, toolChoice: { name: only } }
  return {
    tools: names.length === 0 ? all : all?.filter(({ name }) => names.includes(name)),
    toolChoice: mode === undefined ? undefined : CHOICES[mode],
  }
}

const CHOICES = {
  MODE_UNSPECIFIED: 'auto',
  AUTO: 'auto',
  VALIDATED: 'auto',
  ANY: 'required',
  NONE: 'none',
} as const

type Declaration = NonNullable<NonNullable<GenerateRequest['tools']>[number]['functionDeclarations']>[number]

const toTool = ({ name, description, parameters, parametersJsonSchema }: Declaration): ChatTool =>
  defined({
    name,
    description,
    parameters: toolParameters(parametersJsonSchema ?? toJsonSchema(parameters)),
  })

function toFormat(config: Config): ChatRequest['responseFormat'] | undefined {
  const schema = config?.responseJsonSchema ?? toJsonSchema(config?.responseSchema)
  const isJson = config?.responseMimeType === undefined ? schema !== undefined : config.responseMimeType === JSON_TYPE
  if (!isJson) return undefined
  return schema === undefined ? { type: 'json' } : { type: 'json_schema', name: 'answer', schema }
}

const JSON_TYPE = 'application/json'

function toAudio(config: Config): ChatRequest['audio'] | undefined {
  if (!config?.responseModalities?.some((modality) => modality.toUpperCase() === 'AUDIO')) return undefined
  return defined({ voice: config.speechConfig?.voiceConfig?.prebuiltVoiceConfig?.voiceName, format: 'pcm16' })
}

function toReasoning(thinking: NonNullable<Config>['thinkingConfig']): ChatRequest['reasoning'] | undefined {
  if (thinking === undefined) return undefined
  const { thinkingBudget: budget, thinkingLevel: level } = thinking
  if (level !== undefined && level !== 'THINKING_LEVEL_UNSPECIFIED') return { effort: level.toLowerCase() }
  if (budget === 0) return { effort: 'none' }
  return budget === undefined || budget === -1 ? {} : { budgetTokens: budget }
}
