import type { OpenAiOperation } from '@tollgate/providers'

/** How a call of the OpenAI surface is sent and answered. */
export interface Operation {
  name: OpenAiOperation
  /** The body is JSON, or a form with a file. */
  body: 'json' | 'form'
  /** The answer is JSON (or a stream of it), or bytes. */
  answer: 'json' | 'bytes'
  /** Used when a request names no model, as OpenAI does. */
  defaultModel?: string
}

const json = (name: OpenAiOperation, defaultModel?: string): Operation => ({
  name,
  body: 'json',
  answer: 'json',
  ...(defaultModel === undefined ? {} : { defaultModel }),
})

const form = (name: OpenAiOperation, defaultModel: string): Operation => ({
  name,
  body: 'form',
  answer: 'json',
  defaultModel,
})

const OPERATIONS = [
  json('chat/completions'),
  json('completions'),
  json('embeddings'),
  json('moderations', 'omni-moderation-latest'),
  json('images/generations', 'dall-e-2'),
  form('images/edits', 'gpt-image-1'),
  form('audio/transcriptions', 'whisper-1'),
  form('audio/translations', 'whisper-1'),
  { name: 'audio/speech', body: 'json', answer: 'bytes' } satisfies Operation,
  json('responses'),
  json('rerank'),
]

const byPath = new Map<string, Operation>(OPERATIONS.map((operation) => [`/v1/${operation.name}`, operation]))

export const operationAt = (path: string) => byPath.get(path)
