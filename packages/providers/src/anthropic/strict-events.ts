import { type Fields, isFields } from '../json.ts'

/** What a block has from its beginning, by its type. */
const BEGINNINGS = new Map<unknown, Fields>([
  ['text', { text: '' }],
  ['thinking', { thinking: '', signature: '' }],
  ['tool_use', { input: {} }],
])

/**
 * Adds to an event of a message's stream what Anthropic's own client reads without asking: the content and the usage of a message that
 * begins, the usage of its end, and the empty value to which a block's pieces are added. Other hosts of its API leave them out. True if
 * something was missing.
 */
export function completeMessageEvent(event: Fields): boolean {
  const { type, message, content_block: block } = event
  if (type === 'message_start' && isFields(message)) {
    const usage = isFields(message.usage) ? {} : { usage: { input_tokens: 0, output_tokens: 0 } }
    const content = Array.isArray(message.content) ? {} : { content: [] }
    return added(message, { ...usage, ...content })
  }
  if (type === 'content_block_start' && isFields(block)) {
    const beginning = Object.entries(BEGINNINGS.get(block.type) ?? {}).filter(([name]) => block[name] == null)
    return added(block, Object.fromEntries(beginning))
  }
  // Without numbers: a zero would be charged.
  return type === 'message_delta' && !isFields(event.usage) && added(event, { usage: {} })
}

function added(to: Fields, missing: Fields): boolean {
  Object.assign(to, missing)
  return Object.keys(missing).length > 0
}
