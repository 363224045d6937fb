import { z } from 'zod'

export type ProtocolName = 'chat' | 'responses' | 'messages' | 'generate'

/** A relay call as a program of this protocol sends it, and where its answer has the text. */
export interface Protocol {
  /** The vendor's name for it; the same in every language. */
  name: string
  /** Models whose vendor speaks it: others are translated. */
  native: RegExp
  path: (model: string) => string
  headers: (key: string) => Record<string, string>
  body: (model: string, prompt: string) => object
  /** The text of an answer, '' when it has none. */
  textOf: (answer: unknown) => string
}

/** The protocol requires a limit; it leaves room for a reasoning model. */
const TOKENS_MAX = 1024

export const generatePath = (model: string) =>
  `/v1beta/models/${encodeURIComponent(model.toWellFormed())}:generateContent`

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

export const PROTOCOLS: Record<ProtocolName, Protocol> = {
  chat: {
    name: 'OpenAI Chat Completions',
    native: /^(?!.*(claude|gemini))/i,
    path: () => '/v1/chat/completions',
    headers: bearer,
    body: (model, prompt) => ({ model, messages: [{ role: 'user', content: prompt }] }),
    textOf: (answer) => Completion.safeParse(answer).data?.choices[0]?.message.content ?? '',
  },
  responses: {
    name: 'OpenAI Responses',
    native: /^(gpt|o\d|chatgpt|codex)/i,
    path: () => '/v1/responses',
    headers: bearer,
    body: (model, prompt) => ({ model, input: prompt }),
    textOf: (answer) => texts(said(OutputItems.safeParse(answer).data?.output)),
  },
  messages: {
    name: 'Anthropic Messages',
    native: /claude/i,
    path: () => '/v1/messages',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    body: (model, prompt) => ({ model, max_tokens: TOKENS_MAX, messages: [{ role: 'user', content: prompt }] }),
    textOf: (answer) => texts(Message.safeParse(answer).data?.content),
  },
  generate: {
    name: 'Google Gemini',
    native: /gemini/i,
    path: generatePath,
    headers: (key) => ({ 'x-goog-api-key': key }),
    body: (_model, prompt) => ({ contents: [{ role: 'user', parts: [{ text: prompt }] }] }),
    textOf: (answer) => texts(Candidates.safeParse(answer).data?.candidates[0]?.content?.parts),
  },
}

const Piece = z.object({ text: z.string().optional(), thought: z.boolean().optional() })
const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })) })
const OutputItem = z.object({ type: z.string(), content: z.array(Piece).nullish() })
const OutputItems = z.object({ output: z.array(OutputItem) })
const Message = z.object({ content: z.array(Piece) })
const Candidates = z.object({
  candidates: z.array(z.object({ content: z.object({ parts: z.array(Piece).optional() }).optional() })),
})

/** The content of messages, among items that may also be reasoning and tool calls. */
function said(items: z.infer<typeof OutputItem>[] = []) {
  return items.flatMap(({ type, content }) => (type === 'message' ? (content ?? []) : []))
}

/** The model's text, without its reasoning. */
function texts(pieces: z.infer<typeof Piece>[] = []) {
  return pieces
    .filter(({ thought }) => thought !== true)
    .map(({ text }) => text ?? '')
    .join('')
}
