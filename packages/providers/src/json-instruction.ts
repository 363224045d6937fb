import type { ChatRequest } from './chat.ts'

/** The request for an answer in JSON, in words, for a vendor that has no format for it, or none beside tools. */
export const jsonInstruction = (schema?: unknown) =>
  schema === undefined ? ONLY_JSON : `${ONLY_JSON} It follows this schema: ${JSON.stringify(schema)}`

const ONLY_JSON = 'Answer with one valid JSON object and nothing else.'

/** The words for the format of a request; empty for text. */
export const formatInWords = (format: ChatRequest['responseFormat']) => {
  if (format === undefined || format.type === 'text') return ''
  return format.type === 'json' ? jsonInstruction() : jsonInstruction(format.schema)
}

/** JSON mode is refused by OpenAI, and by others after it, unless the conversation mentions JSON; callers of Google's API need not know. */
export const mentioningJson = (request: ChatRequest): ChatRequest => {
  const { responseFormat, messages } = request
  if (responseFormat?.type !== 'json' || mentionsJson(messages)) return request
  return { ...request, messages: [{ role: 'system', content: [{ type: 'text', text: ONLY_JSON }] }, ...messages] }
}

const mentionsJson = (messages: ChatRequest['messages']) =>
  messages.some(({ content }) => content.some((part) => part.type === 'text' && /json/i.test(part.text)))
