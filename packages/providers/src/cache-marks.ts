import type { CacheMark, ChatMessage, ChatRequest } from './chat.ts'

/** Whether prompt cache marks are added for callers who set none: automatically, always, or never. */
export type PromptCaching = '' | 'always' | 'never'

/**
 * Claude caches only marked parts of a prompt, which callers of other dialects do not know. Writing to the cache costs a
 * quarter more than plain input and reading it a tenth, so it pays off for agents: they have tools and a long prompt, and
 * resend all of it. The four marks that Anthropic allows go to the tools, the instructions and the last two turns.
 */
export function withCacheMarks(request: ChatRequest, caching: PromptCaching): ChatRequest {
  if (caching === 'never' || !/claude/i.test(request.model) || isMarked(request)) return request
  if (caching === '' && !isAgent(request)) return request
  const { tools, messages } = request
  const turns = messages.flatMap(({ role }, index) => (role === 'user' || role === 'tool' ? [index] : []))
  const marked = new Set([
    messages.findLastIndex(({ role, content }) => isInstruction(role) && content.some(isMarkable)),
    ...turns.filter((index) => endsTurn(messages, index)).slice(-2),
  ])
  return {
    ...request,
    ...(tools === undefined ? {} : { tools: withLast(tools, (tool) => ({ ...tool, cache: MARK })) }),
    messages: messages.map((message, index) => (marked.has(index) ? withMark(message) : message)),
  }
}

const MARK: CacheMark = {}

/** A mark as OpenAI's API has it. */
export interface OpenAiMark {
  ttl?: string | undefined
}

/** OpenAI keeps a cache for half an hour, or for half a day: the longest that others have is an hour. */
export const ofOpenAi = (mark: OpenAiMark | undefined): CacheMark | undefined =>
  mark === undefined ? undefined : mark.ttl === '12h' ? { ttl: '1h' } : {}

const isMarked = ({ tools = [], messages }: ChatRequest) =>
  tools.some(({ cache }) => cache !== undefined) ||
  messages.some(({ content }) => content.some((part) => 'cache' in part && part.cache !== undefined))

/** About three thousand tokens: Claude caches nothing shorter than one to four thousand. */
const LONG_PROMPT = 12_000

const isAgent = ({ tools = [], messages }: ChatRequest) => {
  if (tools.length === 0) return false
  const words = messages.flatMap(({ content }) => content.map(lengthOf))
  return words.reduce((sum, length) => sum + length, JSON.stringify(tools).length) >= LONG_PROMPT
}

const lengthOf = (part: ChatMessage['content'][number]) => {
  if ('text' in part) return part.text.length
  return part.type === 'tool-call' ? part.arguments.length : 0
}

const isInstruction = (role: ChatMessage['role']) => role === 'system' || role === 'developer'

/** Anthropic treats tool results and the user's text after them as one turn. */
const endsTurn = (messages: readonly ChatMessage[], index: number) => {
  const next = messages[index + 1]?.role
  return next === undefined || next === 'assistant'
}

const isMarkable = (part: ChatMessage['content'][number]) =>
  (part.type === 'text' && part.text !== '') || part.type === 'image' || part.type === 'file'

function withMark(message: ChatMessage): ChatMessage {
  const at = message.content.findLastIndex(isMarkable)
  const mark = <Part extends object>(part: Part, index: number): Part =>
    index === at ? { ...part, cache: MARK } : part
  switch (message.role) {
    case 'system':
    case 'developer':
      return { ...message, content: message.content.map(mark) }
    case 'user':
      return { ...message, content: message.content.map(mark) }
    case 'tool':
      return { ...message, content: message.content.map(mark) }
    case 'assistant':
      return message
  }
}

const withLast = <Item>(items: readonly Item[], change: (item: Item) => Item): Item[] =>
  items.map((item, index) => (index === items.length - 1 ? change(item) : item))
