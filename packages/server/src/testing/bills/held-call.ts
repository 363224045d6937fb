import { chat, generate, messages, responses, type Units } from './reports.ts'

/** A realistic call, with its actual usage by the rules that vendors publish. */
export interface HeldCall {
  name: string
  vendor: number
  model: string
  path: string
  body: object
  reply(): Response
}

/** How a call is made in a vendor's own dialect, and how that vendor reports its usage. */
export interface Dialect {
  vendor: number
  model: string
  /** The nearest tokenizer: of 2023 or of 2024. */
  tokens: 'cl100k' | 'o200k'
  ask(content: unknown, limit: number | undefined, more?: object): { path: string; body: object }
  reply: typeof chat
}

export const asked = (content: unknown) => [{ role: 'user', content }]

export const openAi = (model: string, vendor = 1): Dialect => ({
  ...{ vendor, model, tokens: 'o200k', reply: chat },
  ask: (content, max_tokens, more) => ({
    path: '/v1/chat/completions',
    body: { model, max_tokens, messages: asked(content), ...more },
  }),
})
export const anthropic = (model: string): Dialect => ({
  ...{ vendor: 14, model, tokens: 'cl100k', reply: messages },
  ask: (content, max_tokens, more) => ({
    path: '/v1/messages',
    body: { model, max_tokens, messages: asked(content), ...more },
  }),
})
export const responding = (model: string): Dialect => ({
  ...{ vendor: 1, model, tokens: 'o200k', reply: responses },
  ask: (content, max_output_tokens, more) => ({
    path: '/v1/responses',
    body: { model, max_output_tokens, input: asked(content), ...more },
  }),
})
export const google = (model: string): Dialect => ({
  ...{ vendor: 24, model, tokens: 'o200k', reply: generate },
  ask: (content, maxOutputTokens, more) => ({
    path: `/v1beta/models/${model}:generateContent`,
    body: {
      contents: [{ role: 'user', parts: typeof content === 'string' ? [{ text: content }] : content }],
      ...{ generationConfig: { maxOutputTokens }, ...more },
    },
  }),
})

interface Chat {
  name: string
  content: unknown
  used: Units
  /** The most output tokens that it may use; undefined for no limit. */
  limit: number | undefined
  /** Further members of the body. */
  more?: object
}

export const heldChat = (dialect: Dialect, { name, content, used, limit, more }: Chat): HeldCall => ({
  ...{ name: `${dialect.model}: ${name}`, vendor: dialect.vendor, model: dialect.model },
  ...dialect.ask(content, limit, more),
  reply: () => dialect.reply({ model: dialect.model, used, stream: false }),
})

/** Answers use between a tenth and all of their limit. */
export const SHARES = [0.1, 0.3, 0.5, 0.8, 1]
export const shareOf = (limit: number, at: number) => Math.round(limit * (SHARES[at % SHARES.length] ?? 1))

/** The recordings that are sent. */
export const RECORDINGS = [3, 45, 200].flatMap((seconds) => [8000, 16_000, 44_100].map((rate) => ({ seconds, rate })))
