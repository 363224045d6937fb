import type { ChatRequest, ChatTool } from '../chat.ts'
import { splitSystem } from '../content.ts'
import { defined, fieldsOf } from '../json.ts'
import { formatInWords } from '../json-instruction.ts'
import { WEB_SEARCH } from '../members.ts'
import type { NestedMember } from '../nested-members.ts'
import { plainParameters } from '../plain-parameters.ts'
import { refusal } from '../unsupported.ts'
import { toContents } from './contents.ts'
import { type ModelRules, rulesOf } from './model.ts'
import { toGoogleSchema } from './schema.ts'
import { toThinkingConfig } from './thinking.ts'

/** A request in Google's dialect; model and stream flag are in the URL. */
export function toGenerateBody(request: ChatRequest) {
  const rules = rulesOf(request.model)
  const { system: own, turns } = splitSystem(request.messages)
  const asked = hasToolsBesideJson(request, rules) ? formatInWords(request.responseFormat) : ''
  const system = [own, asked].filter((text) => text !== '').join('\n\n')
  const contents = toContents(turns, rules)
  const generationConfig = toGenerationConfig(request, rules)
  return defined({
    // Instructions alone are no conversation, so they are sent as the user's text.
    contents: contents.length > 0 ? contents : [{ role: 'user', parts: [{ text: system }] }],
    systemInstruction: system === '' || contents.length === 0 ? undefined : { parts: [{ text: system }] },
    ...toTools(request),
    generationConfig: Object.keys(generationConfig).length === 0 ? undefined : generationConfig,
  })
}

function toGenerationConfig(request: ChatRequest, rules: ModelRules) {
  return defined({
    maxOutputTokens: request.maxTokens,
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    stopSequences: request.stop,
    candidateCount: request.n,
    seed: request.seed,
    frequencyPenalty: rules.penalties ? request.frequencyPenalty : undefined,
    presencePenalty: rules.penalties ? request.presencePenalty : undefined,
    responseLogprobs: request.logprobs,
    logprobs: request.logprobs ? request.topLogprobs : undefined,
    ...toModalities(request, rules),
    ...(forcesTool(request) || hasToolsBesideJson(request, rules) ? {} : toFormat(request.responseFormat, rules)),
    thinkingConfig: toThinkingConfig(request.reasoning, rules),
  })
}

/** Google returns PCM samples; a WAV header makes them a file, and other formats would need encoding. */
function toModalities({ audio }: ChatRequest, { images }: ModelRules) {
  if (audio === undefined) return { responseModalities: images ? ['TEXT', 'IMAGE'] : undefined }
  const { voice, format = 'pcm16' } = audio
  if (format !== 'pcm16' && format !== 'wav') {
    throw refusal('Google', 'audio', `Google's models speak as 'pcm16' or 'wav', not as '${format}'`)
  }
  const named = voice !== undefined && /^[A-Z]/.test(voice)
  return {
    responseModalities: ['AUDIO'],
    // The name of another vendor's voice only means "any voice".
    speechConfig: named ? { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } } : undefined,
  }
}

function toFormat(format: ChatRequest['responseFormat'], { jsonSchema }: ModelRules) {
  if (format === undefined || format.type === 'text') return {}
  if (format.type === 'json') return { responseMimeType: 'application/json' }
  const { $schema: _, ...schema } = fieldsOf(format.schema)
  return {
    responseMimeType: 'application/json',
    ...(jsonSchema ? { responseJsonSchema: schema } : { responseSchema: toGoogleSchema(schema) }),
  }
}

/** The answer is a call then, and Google refuses a format for it. */
const forcesTool = ({ tools = [], toolChoice }: ChatRequest) =>
  tools.length > 0 && (toolChoice === 'required' || typeof toolChoice === 'object')

/** Older models take either tools or a format, so the format becomes an instruction. */
const hasToolsBesideJson = (request: ChatRequest, { jsonWithTools }: ModelRules) =>
  !jsonWithTools && !forcesTool(request) && toTools(request).tools !== undefined

/** Most Gemini models refuse search and functions in one request. */
const geminiMembers = ({ webSearch, tools = [] }: ChatRequest): readonly string[] =>
  webSearch === undefined || tools.length > 0 ? [] : [WEB_SEARCH]

const IS_ERROR: NestedMember = 'messages.is_error'

/** All members that Gemini gets. */
export const geminiCarries = (request: ChatRequest): string[] => [...geminiMembers(request), IS_ERROR]

function toTools(request: ChatRequest): { tools?: object[]; toolConfig?: object | undefined } {
  const { tools = [], toolChoice } = request
  if (geminiMembers(request).length > 0) return { tools: [{ googleSearch: {} }] }
  if (tools.length === 0) return {}
  return {
    tools: [{ functionDeclarations: tools.map(toDeclaration) }],
    toolConfig: toolChoice === undefined ? undefined : { functionCallingConfig: toCallingConfig(toolChoice) },
  }
}

/** Google refuses an object schema without members; a tool without arguments gets no schema. */
function toDeclaration({ name, description, parameters }: ChatTool) {
  const schema = toGoogleSchema(plainParameters(fieldsOf(parameters)))
  const empty = Object.keys(fieldsOf(schema.properties)).length === 0
  return defined({ name, description, parameters: empty ? undefined : { ...schema, type: 'object' } })
}

const MODES = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const

const toCallingConfig = (choice: NonNullable<ChatRequest['toolChoice']>) =>
  typeof choice === 'object' ? { mode: 'ANY', allowedFunctionNames: [choice.name] } : { mode: MODES[choice] }
