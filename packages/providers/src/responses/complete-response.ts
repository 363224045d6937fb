import type { ChatPart } from '../chat.ts'
import { type Block, type Choice, collect, signedReasoning, type ToolCall } from '../collect.ts'
import { customInput, customNames } from '../custom-tool.ts'
import type { AnswerMeta } from '../dialect.ts'
import { callerNames, type ToolName } from '../namespaced-tool.ts'
import { type ClientTool, clientCallItem, clientTools } from './client-tools.ts'
import {
  callItem,
  customCallItem,
  type Item,
  messageItem,
  reasoningItem,
  refusalPart,
  type Status,
  textPart,
  toAnnotation,
  toLogprobs,
  visibleText,
} from './items.ts'
import { keep } from './recall.ts'
import { responseObject, statusOf } from './response.ts'

/** A whole answer as a response; this dialect has a single choice. */
export function completeResponse(parts: readonly ChatPart[], meta: AnswerMeta) {
  const { choices, usage } = collect(parts)
  const [choice] = choices
  const finish = choice?.finish ?? 'stop'
  const output = choice === undefined ? [] : toItems(choice, statusOf(finish), meta)
  const response = responseObject(meta, { status: statusOf(finish), output, usage, finish })
  keep(meta, output, response)
  return response
}

/** Consecutive texts and refusals are parts of one message. Where an answer was cut off, its last item is. */
function toItems(choice: Choice, status: 'completed' | 'incomplete', meta: AnswerMeta): Item[] {
  const blocks = inWords(signedReasoning(choice))
  // Citations and logprobs belong to the text, not to an image rendered as text.
  const last = blocks.findLastIndex((block) => block.type === 'text' && !block.text.startsWith('![image]('))
  const lastOther = blocks.findLastIndex(({ type }) => type !== 'text' && type !== 'refusal')
  const items: Item[] = []
  const custom = customNames(meta.request)
  const client = clientTools(meta.request)
  const callerName = callerNames(meta.request)
  let spoken: object[] | undefined
  for (const [index, block] of blocks.entries()) {
    const id = `${meta.id}_${items.length}`
    if (block.type === 'reasoning' || block.type === 'tool-call') {
      spoken = undefined
      const own = index === blocks.length - 1 ? status : 'completed'
      items.push(
        block.type === 'reasoning'
          ? reasoningItem(`rs_${id}`, own, block)
          : toCall(
              id,
              { ...block, ...callerName(block.name) },
              { isCustom: custom.has(block.name), client: client.get(block.name), status: own },
            ),
      )
      continue
    }
    if (spoken === undefined) {
      spoken = []
      items.push(messageItem(`msg_${id}`, index > lastOther ? status : 'completed', spoken))
    }
    spoken.push(toPart(block, index === last ? choice : undefined))
  }
  return items
}

interface CallKind {
  isCustom: boolean
  client: ClientTool | undefined
  status: Status
}

function toCall(id: string, call: ToolCall & ToolName, { isCustom, client, status }: CallKind) {
  if (client !== undefined) return clientCallItem(client, id, { status, call })
  return isCustom
    ? customCallItem(`ctc_${id}`, status, { ...call, input: customInput(call.arguments) })
    : callItem(`fc_${id}`, status, call)
}

type Content = Exclude<Block, { type: 'image' | 'audio' }>

/** Images and audio as text, and consecutive texts merged, as in a stream. */
function inWords(blocks: readonly Block[]): Content[] {
  return blocks.reduce<Content[]>((all, block) => {
    const next: Content =
      block.type === 'image' || block.type === 'audio' ? { type: 'text', text: visibleText(block) } : block
    const last = all.at(-1)
    if (next.type === 'text' && last?.type === 'text') all[all.length - 1] = { ...last, text: last.text + next.text }
    else all.push(next)
    return all
  }, [])
}

function toPart(block: Extract<Content, { type: 'text' | 'refusal' }>, choice: Choice | undefined) {
  if (block.type === 'refusal') return refusalPart(block.text)
  return textPart(block.text, {
    annotations: choice?.citations.map(toAnnotation) ?? [],
    logprobs: toLogprobs(choice?.logprobs ?? []),
  })
}
