import type { ChatPart } from '../chat.ts'
import { endingAtMark } from '../end-mark.ts'
import { fieldsOf, isFields, parseVendorJson } from '../json.ts'
import { chunkDecoder, decodeChat } from '../openai/chat-decode.ts'
import { throwFailure } from './errors.ts'

/*
 * Hunyuan's answers are OpenAI's with capitalised names. A whole answer has an envelope, stream events do not; every event
 * carries the usage so far.
 */

export const decodeReply = (body: unknown): ChatPart[] => decodeChat(toOpenAi(body))

export function streamDecoder() {
  const decode = chunkDecoder('delta')
  return endingAtMark(({ data }) => decode(toOpenAi(parseVendorJson(data))))
}

function toOpenAi(body: unknown) {
  const answer = fieldsOf(body).Response ?? body
  throwFailure(answer)
  const renamed = fieldsOf(inSnakeCase(answer))
  return { ...renamed, search_results: fieldsOf(renamed.search_info).search_results }
}

function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase)
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [snakeCase(name), inSnakeCase(member)]))
}

const snakeCase = (name: string) => name.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
