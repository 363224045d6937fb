import { type Fields, fieldsOf, listOf, textOf } from '../json.ts'

/*
 * Other clouds host Claude and speak Anthropic's Messages too, but without what Anthropic stores, runs or fetches for its
 * callers: such calls are translated here instead of being passed through.
 */

/** Whether a body needs only the model and none of Anthropic's services. */
export const asksModelOnly = ({ messages, mcp_servers, container, thread }: Fields) =>
  mcp_servers === undefined &&
  container === undefined &&
  thread === undefined &&
  !listOf(messages).map(fieldsOf).some(hasAddress)

/** Whether one of the tools runs at Anthropic. */
export const hasToolAtAnthropic = ({ tools }: Fields) =>
  listOf(tools).some((tool) => runsAtAnthropic(textOf(fieldsOf(tool).type) ?? ''))

export const runsAtAnthropic = (kind: string) => AT_ANTHROPIC.test(kind)

const AT_ANTHROPIC = /^(web_search|web_fetch|code_execution|mcp|advisor)/

/** Tool results have nested content. */
const hasAddress = ({ content }: Fields): boolean =>
  listOf(content)
    .map(fieldsOf)
    .some((block) => fieldsOf(block.source).type === 'url' || hasAddress(block))
