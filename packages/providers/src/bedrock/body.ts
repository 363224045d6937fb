import { claudeTools, forcesTool, noMessages, toSampling, toStop } from '../anthropic/body.ts'
import { rulesOf } from '../anthropic/model.ts'
import { argumentsSchema, strictSchema } from '../anthropic/schema.ts'
import { toThinking } from '../anthropic/thinking.ts'
import { asksToThink, effortOfBudget } from '../budget-effort.ts'
import type { ChatRequest, ChatTool } from '../chat.ts'
import { toolNames } from '../content.ts'
import { defined } from '../json.ts'
import { formatInWords } from '../json-instruction.ts'
import { withUserLast } from '../user-last.ts'
import { cachePoint, textBlock, toTurns } from './messages.ts'
import { isClaude } from './model.ts'

/** A request in the dialect of Converse; model and stream flag are in the URL. */
export function toConverseBody(request: ChatRequest) {
  const system = request.messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? message.content.flatMap(textBlock) : [],
  )
  const textFormat = toTextFormat(request)
  const asked = textFormat === undefined ? formatInWords(request.responseFormat) : ''
  if (asked !== '') system.push({ text: asked })
  const endsAnyhow = !isClaude(request.model) || rulesOf(request.model).prefill
  const turns = toTurns(endsAnyhow ? request.messages : withUserLast(request.messages))
  if (turns.length === 0) throw noMessages()
  const { inference, additional, effort } = isClaude(request.model) ? claudeFields(request) : otherFields(request)
  const outputConfig = defined({ textFormat, effort })
  return defined({
    system: system.length === 0 ? undefined : system,
    messages: turns,
    inferenceConfig: nonEmpty(inference),
    toolConfig: toToolConfig(request),
    additionalModelRequestFields: nonEmpty(additional),
    outputConfig: nonEmpty(outputConfig),
  })
}

const nonEmpty = (fields: object) => (Object.keys(fields).length === 0 ? undefined : fields)

/** Claude keeps its own rules wherever it is hosted; fields unknown to Converse are sent as additional model fields. */
function claudeFields(request: ChatRequest) {
  const rules = rulesOf(request.model)
  const { thinking, effort } = toThinking(request, rules, request.maxTokens ?? rules.maxTokens)
  const { temperature, top_p: topP, top_k } = toSampling(request, { rules, thinking })
  // A budget must be below the limit, so a limit is required then.
  const maxTokens = request.maxTokens ?? (thinking?.type === 'enabled' ? rules.maxTokens : undefined)
  return {
    inference: defined({ maxTokens, temperature, topP, stopSequences: toStop(request.stop) }),
    additional: defined({ thinking, top_k }),
    effort,
  }
}

function otherFields(request: ChatRequest) {
  const { model, maxTokens } = request
  const level = asksToThink(request) ? levelOf(request) : undefined
  const { temperature, topP, stop } = withoutRefused(request)
  return {
    inference: defined({ maxTokens, temperature, topP, stopSequences: toStop(stop) }),
    additional: defined({
      reasoningConfig:
        isNova(model) && level !== undefined ? { type: 'enabled', maxReasoningEffort: level } : undefined,
      reasoning_effort: isGptOss(model) ? level : undefined,
    }),
    effort: undefined,
  }
}

/** What a model refuses: Nova all sampling while it thinks, OpenAI's own models always, and sequences that end the answer, too. */
export function refusedFields(request: ChatRequest): readonly ('temperature' | 'top_p' | 'stop')[] {
  if (isGpt(request.model)) return ['temperature', 'top_p', 'stop']
  return isNova(request.model) && asksToThink(request) ? ['temperature', 'top_p'] : []
}

function withoutRefused(request: ChatRequest): Pick<ChatRequest, 'temperature' | 'topP' | 'stop'> {
  const refused = new Set<string>(refusedFields(request))
  const { temperature, topP, stop } = request
  return defined({
    temperature: refused.has('temperature') ? undefined : temperature,
    topP: refused.has('top_p') ? undefined : topP,
    stop: refused.has('stop') ? undefined : stop,
  })
}

/** Of the models other than Claude, only these think on request. */
export const thinksOnRequest = (model: string) => isNova(model) || isGptOss(model)

const isNova = (model: string) => model.includes('amazon.nova-2')
const isGptOss = (model: string) => model.includes('gpt-oss')
const isGpt = (model: string) => /openai\.gpt-(?!oss)/.test(model)

/** The nearest of their three levels. Nova's highest knows no limit of tokens, and who sets one wants it kept. */
function levelOf(request: ChatRequest) {
  const level = nearestLevel(request)
  return level === 'high' && isNova(request.model) && request.maxTokens !== undefined ? 'medium' : level
}

function nearestLevel({ reasoning: { effort, budgetTokens = 0 } = {} }: ChatRequest) {
  if (effort === undefined) return effortOfBudget(budgetTokens)
  if (effort === 'minimal') return 'low'
  return effort === 'low' || effort === 'medium' ? effort : 'high'
}

function toTextFormat({ model, responseFormat: format }: ChatRequest) {
  if (format?.type !== 'json_schema' || !takesSchema(model)) return undefined
  const schema = isClaude(model) ? strictSchema(format.schema) : format.schema
  return {
    type: 'json_schema',
    structure: { jsonSchema: { name: format.name, schema: JSON.stringify(schema) } },
  }
}

/** Amazon's own models and the older ones of others refuse a schema for the answer. */
const takesSchema = (model: string) =>
  isClaude(model) ? rulesOf(model).strict && !model.includes('opus-4-1') : !WITHOUT_SCHEMA.test(model)

const WITHOUT_SCHEMA =
  /amazon\.|meta\.|cohere\.|ai21\.|writer\.|deepseek\.r1|mistral\.(mistral-(7b|small|large-2)|mixtral|pixtral)/

/**
 * Converse cannot forbid calls, so tools are left out then, unless the conversation contains calls: Bedrock refuses those without
 * tools, and gets them by their names from a caller who offers none any more, for example for a summary.
 */
function toToolConfig(request: ChatRequest) {
  const { toolChoice, messages, model } = request
  const isForced = !isClaude(model) || rulesOf(model).forcedTools
  const tools = isForced ? (request.tools ?? []) : claudeTools(request, rulesOf(model))
  const used = [...new Set(toolNames(messages).values())]
  const offered: readonly ChatTool[] =
    tools.length > 0 ? tools : used.map((name) => ({ name, parameters: { type: 'object' } }))
  if (offered.length === 0 || (toolChoice === 'none' && used.length === 0)) return undefined
  return defined({
    tools: offered.flatMap(({ name, description, parameters, cache }) => [
      { toolSpec: defined({ name, description, inputSchema: { json: argumentsSchema(parameters) } }) },
      ...cachePoint(cache),
    ]),
    toolChoice: toToolChoice(isForced || !forcesTool(toolChoice) ? toolChoice : 'auto'),
  })
}

function toToolChoice(choice: ChatRequest['toolChoice']) {
  if (choice === undefined || choice === 'none') return undefined
  if (typeof choice === 'object') return { tool: { name: choice.name } }
  return choice === 'required' ? { any: {} } : { auto: {} }
}
