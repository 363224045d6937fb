import type { Citation, TokenLogprob } from '../chat.ts'
import type { Block } from '../collect.ts'
import { urlOf } from '../data-url.ts'
import { namedAs, type ToolName } from '../namespaced-tool.ts'
import { redactedOut, signatureOut } from '../signature.ts'

/* The output items of a response, the same in a whole answer and at the end of a stream. */

export interface Item {
  id: string
  type: string
  [member: string]: unknown
}

export type Status = 'in_progress' | 'completed' | 'incomplete'

export const messageItem = (id: string, status: Status, content: object[]): Item => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content,
})

export const textPart = (text: string, more: { annotations?: object[]; logprobs?: object[] } = {}) => ({
  type: 'output_text',
  text,
  annotations: more.annotations ?? [],
  logprobs: more.logprobs ?? [],
})

export const refusalPart = (refusal: string) => ({ type: 'refusal', refusal })

export const summaryPart = (text: string) => ({ type: 'summary_text', text })

/** OpenAI leaves the status out at times, but xAI's clients require it. */
export const reasoningItem = (
  id: string,
  status: Status,
  block: Omit<Extract<Block, { type: 'reasoning' }>, 'type'>,
): Item => ({
  id,
  type: 'reasoning',
  status,
  summary: block.text === '' ? [] : [summaryPart(block.text)],
  ...encrypted(block),
})

function encrypted({ signature, redacted }: { signature?: string | undefined; redacted?: string | undefined }) {
  if (redacted !== undefined) return { encrypted_content: redactedOut(redacted) }
  return signature === undefined ? {} : { encrypted_content: signatureOut('openai', signature) }
}

export interface Called extends ToolName {
  id: string
}

export const callItem = (id: string, status: Status, call: Called & { arguments: string }): Item => ({
  id,
  type: 'function_call',
  status,
  // A tool without arguments gets none, but parsers expect an object.
  arguments: call.arguments === '' && status !== 'in_progress' ? '{}' : call.arguments,
  call_id: call.id,
  ...namedAs(call),
})

export const customCallItem = (id: string, status: Status, call: Called & { input: string }): Item => ({
  id,
  type: 'custom_tool_call',
  status,
  input: call.input,
  call_id: call.id,
  ...namedAs(call),
})

export const toAnnotation = ({ url, title, document, start = 0, end = 0 }: Citation) =>
  document === undefined
    ? { type: 'url_citation', url, title: title ?? '', start_index: start, end_index: end }
    : { type: 'file_citation', file_id: url, filename: title ?? url, index: end }

const encoder = new TextEncoder()
const withBytes = ({ token, logprob }: { token: string; logprob: number }) => ({
  token,
  logprob,
  bytes: [...encoder.encode(token)],
})

export const toLogprobs = (tokens: readonly TokenLogprob[]) =>
  tokens.map((own) => ({ ...withBytes(own), top_logprobs: own.top.map(withBytes) }))

/** This dialect has no audio, so the transcript is used. */
export const visibleText = (block: Extract<Block, { type: 'text' | 'image' | 'audio' }>) =>
  block.type === 'image' ? imageText(block) : block.type === 'audio' ? block.transcript : block.text

/** This dialect has images only as results of its own tool. */
const imageText = (image: { mimeType: string; base64: string }) => `![image](${urlOf(image)})`
