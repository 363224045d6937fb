import type { ChatPart } from '../chat.ts'
import { type Block, type Choice, collect, signedReasoning } from '../collect.ts'
import type { AnswerMeta } from '../dialect.ts'
import {
  callItem,
  type Item,
  imageText,
  messageItem,
  reasoningItem,
  refusalPart,
  textPart,
  toLogprobs,
  urlCitation,
} from './items.ts'
import { responseObject, statusOf } from './response.ts'

/** A whole answer as a response. There is one choice in this dialect. */
export function wholeResponse(parts: readonly ChatPart[], meta: AnswerMeta) {
  const { choices, usage } = collect(parts)
  const [choice] = choices
  const finish = choice?.finish ?? 'stop'
  const output = choice === undefined ? [] : toItems(choice, meta)
  return responseObject(meta, { status: statusOf(finish), output, usage, finish })
}

/** Neighbouring texts and refusals are parts of one message. */
function toItems(choice: Choice, meta: AnswerMeta): Item[] {
  const blocks = signedReasoning(choice)
  const last = blocks.findLastIndex(({ type }) => type === 'text')
  const items: Item[] = []
  let spoken: object[] | undefined
  for (const [index, block] of blocks.entries()) {
    const id = `${meta.id}_${items.length}`
    if (block.type === 'reasoning' || block.type === 'tool-call') {
      spoken = undefined
      items.push(
        block.type === 'reasoning' ? reasoningItem(`rs_${id}`, block) : callItem(`fc_${id}`, 'completed', block),
      )
      continue
    }
    if (spoken === undefined) {
      spoken = []
      items.push(messageItem(`msg_${id}`, 'completed', spoken))
    }
    spoken.push(toPart(block, index === last ? choice : undefined))
  }
  return items
}

function toPart(block: Extract<Block, { type: 'text' | 'refusal' | 'image' }>, choice: Choice | undefined) {
  if (block.type === 'refusal') return refusalPart(block.text)
  return textPart(block.type === 'image' ? imageText(block) : block.text, {
    annotations: choice?.citations.map(urlCitation) ?? [],
    logprobs: toLogprobs(choice?.logprobs ?? []),
  })
}
