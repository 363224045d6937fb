import type { Usage } from './usage.ts'

/*
 * The gateway's internal format for chat, which every dialect is translated into and from. A request is what the caller
 * means, not how it was written; an answer is a sequence of parts, whole or streamed alike.
 */

export interface ChatRequest {
  /** The model by its upstream name. */
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
  /** The caller knows functions, the predecessor of tools, and no others. */
  legacyFunctions?: true
  parallelToolCalls?: boolean
  /** Tool types that only the caller's own vendor has; the model works without them. */
  droppedTools?: string[]
  responseFormat?:
    | { type: 'text' }
    | { type: 'json' }
    | { type: 'json_schema'; name: string; schema: unknown; strict?: boolean }
  reasoning?: { effort?: string; budgetTokens?: number }
  /** The answer should be audio. */
  audio?: { voice?: string; format?: string }
  /** The caller's instructions beside the conversation; they are its first message, and are shown with the answer. */
  instructions?: string
  /** The caller stores the conversation: nothing of the answer has to be remembered. */
  stateless?: true
  /**
   * The caller's input of this turn in its original form, the answer it follows, and the settings of the whole conversation:
   * a later call may continue from here.
   */
  turn?: { previous?: string; input: readonly unknown[]; given?: Record<string, unknown> }
  /** What the caller wrote inside messages, tools and settings and this format has no place for, by its path. */
  unread?: string[]
  /** The vendor should search the web. */
  webSearch?: WebSearch
  /** `extra` was written in another dialect than chat completions, so compatible vendors may not know it. */
  foreign?: true
  /**
   * Members of the caller's body without a field above, under their chat-completions names where those exist. Each adapter
   * declares which of them its vendor supports: see `members.ts`.
   */
  extra: Record<string, unknown>
}

export interface WebSearch {
  /** The name the caller used, for error messages. */
  name: string
  /** Clients offer it with every call: a model that cannot search answers without it. */
  optional?: true
  contextSize?: string
  location?: { city?: string; region?: string; country?: string; timezone?: string }
  allowedDomains?: string[]
  blockedDomains?: string[]
  maxUses?: number
}

export type ChatMessage =
  | { role: 'system' | 'developer'; content: TextContent[] }
  | { role: 'user'; content: UserContent[]; name?: string }
  | { role: 'assistant'; content: AssistantContent[] }
  | { role: 'tool'; callId: string; name?: string; content: (TextContent | ImageContent)[]; isError?: boolean }

/** Everything up to this mark should be kept in the vendor's prompt cache. */
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
  /** Either a URL or the data itself. */
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
  /** A custom tool that takes plain text (see `custom-tool.ts`), as the caller described it. */
  custom?: { description?: string; grammar?: { syntax?: string; definition?: string } }
  /** A tool that OpenAI defines and the caller runs (see `responses/client-tools.ts`), as the caller wrote it. */
  client?: { type: 'shell' | 'local_shell' | 'apply_patch'; [member: string]: unknown }
  /** The original names of a tool in a namespace: see `namespaced-tool.ts`. */
  namespace?: { name: string; description?: string; tool: string; toolDescription?: string }
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** A part of an answer. `choice` counts from 0 when a request asked for several. */
export type ChatPart =
  /** Either is empty when the vendor omits it; the response encoder then uses its own. */
  | { type: 'start'; id: string; model: string }
  | { type: 'text'; choice: number; text: string }
  | { type: 'reasoning'; choice: number; text: string; signature?: string; redacted?: string }
  /** `notice`: the vendor's filter explains itself; no model wrote this. */
  | { type: 'refusal'; choice: number; text: string; notice?: true }
  /**
   * The first delta of a call carries its name, and its id if the vendor provides one; `call` counts the calls of one
   * choice from 0. The response encoder assigns ids to calls without one.
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
  /** Audio and its transcript. Without a format it has the requested one. */
  | { type: 'audio'; choice: number; base64: string; transcript: string; format?: 'pcm16' }
  | ({ type: 'citation'; choice: number } & Citation)
  | { type: 'logprobs'; choice: number; tokens: TokenLogprob[] }
  | { type: 'finish'; choice: number; reason: FinishReason }
  /** Later values replace earlier ones, member by member. */
  | {
      type: 'usage'
      usage: Partial<Usage>
      /** The service tier that the vendor reports. */
      serviceTier?: string
      /** The vendor bills nothing for this answer. */
      free?: true
    }

/** The source of a part of an answer. */
export interface Citation {
  /** The URL; for a document sent by the caller, its name. */
  url: string
  title?: string
  /** `url` is a document name, not a URL. */
  document?: true
  /** The range of the choice's text that it supports, in characters. */
  start?: number
  end?: number
}

/** The log probability of a token, and its alternatives. */
export interface TokenLogprob {
  token: string
  logprob: number
  top: { token: string; logprob: number }[]
}
