import { anthropicMessages } from './anthropic/dialect.ts'
import type { Dialect } from './dialect.ts'
import { geminiGenerate } from './gemini/dialect.ts'
import { openAiChat } from './openai/chat-dialect.ts'
import { openAiResponses } from './responses/dialect.ts'

/** The dialects that support chat. */
export const dialects = {
  'openai/chat': openAiChat,
  'anthropic/messages': anthropicMessages,
  'gemini/generate': geminiGenerate,
  responses: openAiResponses,
} as const satisfies Record<string, Dialect>

export type DialectName = keyof typeof dialects
