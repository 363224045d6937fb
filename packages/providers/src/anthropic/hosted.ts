import { type Fields, fieldsOf, listOf, textOf } from '../json.ts'

/*
 * Other houses host Claude and speak Anthropic's Messages too, without what Anthropic keeps, runs or fetches for its callers:
 * such calls are understood here and translated.
 */

/** Whether a body asks for nothing but the model. */
export const asksModelOnly = ({ messages, mcp_servers, container, thread }: Fields) =>
  mcp_servers === undefined &&
  container === undefined &&
  thread === undefined &&
  !listOf(messages).map(fieldsOf).some(hasAddress)

/** Whether one of the tools runs at Anthropic. */
export const hasToolAtAnthropic = ({ tools }: Fields) =>
  listOf(tools).some((tool) => AT_ANTHROPIC.test(textOf(fieldsOf(tool).type) ?? ''))

const AT_ANTHROPIC = /^(web_search|web_fetch|code_execution|mcp|advisor)/

/** Results of tools hold content of their own. */
const hasAddress = ({ content }: Fields): boolean =>
  listOf(content)
    .map(fieldsOf)
    .some((block) => fieldsOf(block.source).type === 'url' || hasAddress(block))
