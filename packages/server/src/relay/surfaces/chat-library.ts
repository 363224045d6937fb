import { isVercelSdk } from './vercel-sdk.ts'

/**
 * A library that reads the end of a streamed chat as its own vendor sends it: the usage, which it never asks for, comes with the finish
 * reason; Groq's is in a member of its own, and Mistral's calls are whole, all of them in one event.
 */
export type ChatLibrary = 'mistral' | 'groq'

/** The Vercel AI SDK does not always name the vendor; its packages for others ask for the usage, or do not mind it. */
export const chatLibrary = ({ headers, url }: Pick<Request, 'headers' | 'url'>): ChatLibrary | undefined => {
  const program = headers.get('user-agent') ?? ''
  if (/^mistral-client-/.test(program)) return 'mistral'
  if (/^(?:Async)?Groq\//.test(program) || isVercelSdk(program)) return 'groq'
  // Programs put their own name in its place, but have Groq's path, which is also Azure's.
  return GROQ_PATH.test(url) && !program.includes('OpenAI/') ? 'groq' : undefined
}

const GROQ_PATH = /^[a-z]+:\/\/[^/]*\/openai\/v1\//
