import { type Bill, dollarsOf } from './bill.ts'
import { CHATS, type ListPrice } from './list-prices.ts'
import { chat, generate, messages, responses, type Units } from './reports.ts'

const ASKED = [{ role: 'user', content: 'When is high tide?' }]

interface BilledRequest {
  operation: string
  path: (model: string, stream: boolean) => string
  body: (model: string, stream: boolean) => object
  reply: typeof chat
  units: readonly string[]
}

const TEXT = ['input', 'cachedInput', 'output', 'reasoning']
export const openAiBody = (model: string, stream: boolean) => ({ model, stream, messages: ASKED, max_tokens: 500 })
const googlePath = (model: string, stream: boolean) =>
  `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`

const asChat = (reply: typeof chat, units: readonly string[]): BilledRequest => ({
  ...{ operation: 'chat', path: () => '/v1/chat/completions', body: openAiBody, reply, units },
})
const asMessages = (reply: typeof chat, units: readonly string[]): BilledRequest => ({
  ...{ operation: 'messages', path: () => '/v1/messages', body: openAiBody, reply, units },
})
const asGenerate = (reply: typeof chat, units: readonly string[]): BilledRequest => ({
  ...{ operation: 'generateContent', path: googlePath, reply, units },
  body: () => ({ contents: [{ role: 'user', parts: [{ text: 'When is high tide?' }] }] }),
})
const asResponses = (reply: typeof chat, units: readonly string[]): BilledRequest => ({
  ...{ operation: 'responses', path: () => '/v1/responses', reply, units },
  body: (model, stream) => ({ model, stream, input: 'When is high tide?', max_output_tokens: 500 }),
})

const CLAUDE = ['input', 'cachedInput', 'cacheWrite', 'cacheWriteLong', 'output', 'webSearches']
const GEMINI = [...TEXT, 'audioInput', 'cachedAudio', 'webSearches', 'mapsQueries']

/** Each vendor in its own dialect, and through the others. */
const BILLED_REQUESTS: Readonly<Record<number, readonly BilledRequest[]>> = {
  1: [
    asChat(chat, TEXT),
    asResponses(responses, [...TEXT, 'webSearches', 'fileSearches', 'codeSessions']),
    asMessages(chat, ['input', 'cachedInput', 'output']),
  ],
  14: [asMessages(messages, CLAUDE), asChat(messages, CLAUDE)],
  24: [asGenerate(generate, GEMINI), asChat(generate, GEMINI)],
  28: [asChat(chat, ['input', 'output'])],
  29: [asChat(chat, ['input', 'output'])],
  45: [asChat((reported) => chat(reported, true), [...TEXT, 'webSearches', 'fileSearches', 'codeSessions', 'sources'])],
}

/** Usage patterns: the plain one, the smallest, and one for each other unit. */
const EDGES: readonly (readonly [edge: string, used: Units])[] = [
  ['text', { input: 1000, output: 200 }],
  ['one token each', { input: 1, output: 1 }],
  ['nothing written', { input: 17, output: 0 }],
  ['cached', { input: 100, cachedInput: 2000, output: 50 }],
  ['long and cached', { input: 500, cachedInput: 120_000, output: 3000 }],
  ['reasoning', { input: 100, output: 40, reasoning: 500 }],
  ['cache written', { input: 10, cacheWrite: 3000, output: 20 }],
  ['cache written for an hour', { input: 10, cacheWriteLong: 3000, cacheWrite: 100, output: 20 }],
  ['sound', { input: 100, audioInput: 900, output: 20 }],
  ['cached sound', { input: 100, audioInput: 10, cachedAudio: 900, output: 20 }],
  ['web searches', { input: 100, output: 20, webSearches: 1 }],
  ['file searches', { input: 100, output: 20, fileSearches: 3 }],
  ['code sessions', { input: 100, output: 20, codeSessions: 2 }],
  ['maps', { input: 100, output: 20, mapsQueries: 1 }],
  ['sources', { input: 100, output: 20, sources: 8 }],
]

const billsOf = (price: ListPrice, called = price.model, type = price.type): Bill[] =>
  (BILLED_REQUESTS[price.type] ?? []).flatMap(({ operation, path, body, reply, units }) =>
    EDGES.filter(([, used]) =>
      Object.keys(used).every((unit) => units.includes(unit) && price.rates[unit] !== undefined),
    )
      .flatMap(([edge, used]) => [false, true].map((stream) => ({ edge, used, stream })))
      .map(({ edge, used, stream }) => ({
        ...{ operation, vendor: type, model: called, edge: stream ? `${edge}, streamed` : edge },
        ...{ path: path(called, stream), body: body(called, stream) },
        reply: () => reply({ model: price.model, used, stream }),
        ...{ dollars: dollarsOf(used, price.rates), price: price.page },
      })),
  )

/** Names as written by routers and releases, with the model whose price applies. */
const NAMES: readonly (readonly [called: string, type: number, sold: string])[] = [
  ['openai/gpt-4o:nitro', 20, 'gpt-4o'],
  ['openai/gpt-4o-mini:floor', 20, 'gpt-4o-mini'],
  ['openai/gpt-4.1', 8, 'gpt-4.1'],
  ['GPT-4.1-Mini', 8, 'gpt-4.1-mini'],
  ['gpt-4o-mini-2024-07-18', 8, 'gpt-4o-mini'],
]

const soldAs = (model: string) => CHATS.filter((price) => price.model === model)
const onlyText = ({ operation, edge }: Bill) => operation === 'chat' && /^(?:text|one token)/.test(edge)

export const nameBills = NAMES.flatMap(([called, type, sold]) =>
  soldAs(sold).flatMap((price) => billsOf(price, called, type).filter(onlyText)),
)

export const freeBills = soldAs('gpt-4o').flatMap((price) =>
  billsOf(price, 'deepseek/deepseek-r1:free', 20)
    .filter(onlyText)
    .map((bill) => ({ ...bill, dollars: 0, price: 'a name that ends in :free' })),
)

export const chatBills = CHATS.flatMap((price) => billsOf(price))
