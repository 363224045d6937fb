import { z } from 'zod'
import type { ChatPart } from '../chat.ts'
import type { StreamEvent } from '../chat-adapter.ts'
import { fieldsOf, listOf, parseVendor, parseVendorJson, textOf } from '../json.ts'
import { chunkDecoder } from '../openai/chat-decode.ts'
import { isRefusal, throwFailure } from './errors.ts'

/*
 * DashScope's envelope contains OpenAI's message, in whole answers and in incremental streams alike. The multimodal endpoint
 * returns content as a list without types, and "no finish reason yet" is the text "null".
 */

export const decodeReply = (body: unknown): ChatPart[] => chunkDecoder('message')(toOpenAi(body))

export function streamDecoder() {
  const decode = chunkDecoder('delta')
  return ({ data }: StreamEvent) => {
    const body = parseVendorJson(data)
    // Events without output are not part of the answer.
    return fieldsOf(body).output === undefined && !isRefusal(body) ? [] : decode(toOpenAi(body))
  }
}

const Answer = z.object({
  request_id: z.string().optional(),
  output: z.looseObject({ choices: z.array(z.looseObject({ index: z.int().optional() })).nullish() }),
  usage: z.record(z.string(), z.unknown()).nullish(),
})

function toOpenAi(body: unknown) {
  throwFailure(body)
  const { request_id, output, usage } = parseVendor(Answer, body)
  // Models without messages answer with plain text.
  const choices = output.choices ?? [{ message: { content: output.text }, finish_reason: output.finish_reason }]
  return {
    id: request_id,
    choices: choices.map(toChoice),
    usage: usage == null ? undefined : toUsage(usage),
    search_results: fieldsOf(output.search_info).search_results,
  }
}

function toChoice(choice: Record<string, unknown>) {
  const message = fieldsOf(choice.message)
  return {
    ...choice,
    message: { ...message, content: typeof message.content === 'string' ? message.content : joined(message.content) },
    finish_reason: choice.finish_reason === 'null' ? null : choice.finish_reason,
  }
}

const joined = (content: unknown) =>
  listOf(content)
    .map((part) => textOf(fieldsOf(part).text) ?? '')
    .join('')

/** Input details appear in several places; one of them is enough. */
function toUsage(usage: Record<string, unknown>) {
  const kinds = fieldsOf(usage.input_tokens_details)
  return {
    ...usage,
    prompt_tokens_details: {
      image_tokens: kinds.image_tokens ?? usage.image_tokens,
      audio_tokens: kinds.audio_tokens ?? usage.audio_tokens,
      ...fieldsOf(usage.prompt_tokens_details),
    },
  }
}
