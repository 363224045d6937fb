import type { ChatPart, FinishReason } from '../chat.ts'
import { type Block, type Choice, collect, signedReasoning } from '../collect.ts'
import { argumentsOrEmpty } from '../content-out.ts'
import { urlOf } from '../data-url.ts'
import type { AnswerMeta } from '../dialect.ts'
import { signatureOut } from '../signature.ts'
import { cacheReads, cacheWrites, NO_USAGE, outputTokens, type Usage } from '../usage.ts'
import { citedText } from './cited-text.ts'
import { keep } from './threads.ts'

/** A whole answer as a message; this dialect has a single choice. */
export function messageResponse(parts: readonly ChatPart[], meta: AnswerMeta) {
  const { choices, usage } = collect(parts)
  const [choice] = choices
  const content = choice === undefined ? [] : toContent(choice, meta)
  keep(meta, content)
  return {
    id: `msg_${meta.id}`,
    type: 'message',
    role: 'assistant',
    model: meta.model,
    content,
    stop_reason: stopReason(choice?.finish ?? 'stop'),
    stop_sequence: null,
    usage: messageUsage(usage ?? NO_USAGE),
  }
}

export function toContent(choice: Choice, meta: AnswerMeta): object[] {
  const all = signedReasoning(choice)
  const last = all.findLastIndex((block) => block.type === 'text')
  let offset = 0
  return all.flatMap((block, index) => {
    if (block.type !== 'text') return toBlocks(block, meta)
    const start = offset
    offset += block.text.length
    return citedText(block.text, choice.citations, { start, isLast: index === last })
  })
}

function toBlocks(block: Block, meta: AnswerMeta): object[] {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return [{ type: 'text', text: block.text }]
    case 'image':
      return [{ type: 'text', text: imageText(block) }]
    case 'audio':
      return [{ type: 'text', text: block.transcript }]
    case 'reasoning':
      if (block.redacted !== undefined) return [{ type: 'redacted_thinking', data: block.redacted }]
      return [thinkingBlock(block.text, block.signature)]
    case 'tool-call': {
      const { name } = block
      return [{ type: 'tool_use', id: toolId(block, meta), name, input: argumentsOrEmpty(block.arguments) }]
    }
  }
}

const thinkingBlock = (thinking: string, signature: string | undefined) => ({
  type: 'thinking',
  thinking,
  signature: signature === undefined ? '' : signatureOut('claude', signature),
})

export const toolId = ({ id, call }: { id?: string | undefined; call: number }, meta: AnswerMeta) =>
  id || `toolu_${meta.id}_${call}`

/** This dialect has no images in answers. */
export const imageText = (image: { mimeType: string; base64: string }) => `![image](${urlOf(image)})`

const STOP_REASONS: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
}

export const stopReason = (finish: FinishReason) => STOP_REASONS[finish]

export const messageUsage = (usage: Usage) => ({
  input_tokens: usage.input + usage.audioInput + usage.imageInput,
  cache_creation_input_tokens: cacheWrites(usage),
  cache_read_input_tokens: cacheReads(usage),
  ...(cacheWrites(usage) === 0
    ? {}
    : {
        cache_creation: {
          ephemeral_5m_input_tokens: usage.cacheWrite,
          ephemeral_1h_input_tokens: usage.cacheWriteLong,
        },
      }),
  output_tokens: outputTokens(usage),
  ...(usage.reasoning === 0 ? {} : { output_tokens_details: { thinking_tokens: usage.reasoning } }),
})
