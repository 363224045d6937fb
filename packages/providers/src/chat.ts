import type { Usage } from './usage.ts'

/*
 * The gateway's own tongue for chat: what every dialect can be translated into and from. A request is what the caller
 * means, not how it was written; an answer is a sequence of parts, whole or streamed alike.
 */

export interface ChatRequest {
  /** The upstream's name of the model. */
  model: string
  stream: boolean
  messages: ChatMessage[]
  maxTokens?: number
  temperature?: number
  topP?: number
  topK?: number
  stop?: string[]
  n?: number
  seed?: number
  frequencyPenalty?: number
  presencePenalty?: number
  logprobs?: boolean
  topLogprobs?: number
  user?: string
  tools?: ChatTool[]
  toolChoice?: 'auto' | 'none' | 'required' | { name: string }
  parallelToolCalls?: boolean
  /** Kinds of tools that were offered and that only the caller's own vendor has; the model does without them. */
  droppedTools?: string[]
  responseFormat?:
    | { type: 'text' }
    | { type: 'json' }
    | { type: 'json_schema'; name: string; schema: unknown; strict?: boolean }
  reasoning?: { effort?: string; budgetTokens?: number }
  /** The answer is to be spoken. */
  audio?: { voice?: string; format?: string }
  /** The caller keeps the conversation himself: nothing of the answer has to be remembered. */
  stateless?: true
  /**
   * What the caller said in this turn, in his own words, the answer that it follows, and what he gave once for the whole
   * conversation: he may go on from here.
   */
  turn?: { previous?: string; input: readonly unknown[]; given?: Record<string, unknown> }
  /** The vendor is to look for the answer on the web. */
  webSearch?: WebSearch
  /** What is in `extra` was written in another dialect than chat completions: imitators of these need not know it. */
  foreign?: true
  /**
   * Members of the caller's body that have no place above, by the names of chat completions where these have one. Which
   * vendor can use them is told by its adapter: see `members.ts`.
   */
  extra: Record<string, unknown>
}

export interface WebSearch {
  /** As the caller wrote it, for refusals. */
  name: string
  /** Clients offer it with every call: a model that can not search answers without. */
  optional?: true
  contextSize?: string
  location?: { city?: string; region?: string; country?: string; timezone?: string }
  allowedDomains?: string[]
  blockedDomains?: string[]
}

export type ChatMessage =
  | { role: 'system' | 'developer'; content: TextContent[] }
  | { role: 'user'; content: UserContent[]; name?: string }
  | { role: 'assistant'; content: AssistantContent[] }
  | { role: 'tool'; callId: string; name?: string; content: (TextContent | ImageContent)[]; isError?: boolean }

/** A mark that everything up to here should be kept in the vendor's prompt cache. */
export interface CacheMark {
  ttl?: string
}

export interface TextContent {
  type: 'text'
  text: string
  cache?: CacheMark
}

export interface ImageContent {
  type: 'image'
  /** Either where it is, or what it is. */
  source: { url: string } | { mimeType: string; base64: string }
  detail?: string
  cache?: CacheMark
}

export interface AudioContent {
  type: 'audio'
  format: string
  base64: string
}

export interface FileContent {
  type: 'file'
  source: { url: string } | { mimeType: string; base64: string } | { id: string }
  name?: string
  cache?: CacheMark
}

export type UserContent = TextContent | ImageContent | AudioContent | FileContent

export type AssistantContent =
  | TextContent
  | { type: 'reasoning'; text: string; signature?: string; redacted?: string }
  | { type: 'tool-call'; id: string; name: string; arguments: string; signature?: string; cache?: CacheMark }
  | { type: 'refusal'; text: string }

export interface ChatTool {
  name: string
  description?: string
  /** JSON Schema of the arguments. */
  parameters: unknown
  strict?: boolean
  cache?: CacheMark
  /** The caller's tool takes plain text: see `custom-tool.ts`. This is how he described it. */
  custom?: { description?: string; grammar?: { syntax?: string; definition?: string } }
  /** The caller's own words for a tool that stands in a namespace: see `namespaced-tool.ts`. */
  namespace?: { name: string; description?: string; tool: string; toolDescription?: string }
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** A piece of an answer. `choice` counts from 0 where a request asked for several. */
export type ChatPart =
  /** Either is empty where the vendor does not say it; whoever answers the caller puts its own in that place. */
  | { type: 'start'; id: string; model: string }
  | { type: 'text'; choice: number; text: string }
  | { type: 'reasoning'; choice: number; text: string; signature?: string; redacted?: string }
  | { type: 'refusal'; choice: number; text: string }
  /**
   * The first piece of a call carries its name, and its id where the vendor has one for it; `call` counts the calls of
   * one choice from 0. Whoever answers the caller gives an id to those that have none.
   */
  | {
      type: 'tool-call'
      choice: number
      call: number
      id?: string
      name?: string
      arguments: string
      signature?: string
    }
  | { type: 'image'; choice: number; mimeType: string; base64: string }
  /** Sound, and what it says. Without a format it is in the one that was asked for. */
  | { type: 'audio'; choice: number; base64: string; transcript: string; format?: 'pcm16' }
  | ({ type: 'citation'; choice: number } & Citation)
  | { type: 'logprobs'; choice: number; tokens: TokenLogprob[] }
  | { type: 'finish'; choice: number; reason: FinishReason }
  /** Later ones replace earlier ones, member by member. */
  | {
      type: 'usage'
      usage: Partial<Usage>
      /** How urgently the vendor worked, where it says so. */
      serviceTier?: string
    }

/** Where an answer has something from. */
export interface Citation {
  /** Where it is; of a document that the caller handed in, its name. */
  url: string
  title?: string
  /** `url` is the name of a document, and no address. */
  document?: true
  /** Which of the choice's words rest on it, counted in characters of its text. */
  start?: number
  end?: number
}

/** How likely a token was, and what else might have stood in its place. */
export interface TokenLogprob {
  token: string
  logprob: number
  top: { token: string; logprob: number }[]
}
