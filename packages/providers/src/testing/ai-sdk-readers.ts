import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import type { ChatPart } from '../chat.ts'
import { type DialectName, dialects } from '../dialects.ts'
import { META } from './dialect-round-trip.ts'

/*
 * The Vercel AI SDK checks answers against schemas of its own, which are stricter than the types of the vendors' libraries: a null
 * that no vendor sends makes the whole answer an error.
 */

type Answering = () => Response

const options = (answering: Answering) => ({ apiKey: 'sk', fetch: Object.assign(async () => answering(), fetch) })

const READERS = {
  'openai/chat': (answering: Answering) => createOpenAI(options(answering)).chat('a-model'),
  responses: (answering: Answering) => createOpenAI(options(answering)).responses('a-model'),
  'anthropic/messages': (answering: Answering) => createAnthropic(options(answering))('a-model'),
  'gemini/generate': (answering: Answering) => createGoogleGenerativeAI(options(answering))('a-model'),
}

const QUESTION = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hello' }] }] }

/** What the SDK objects to in an answer, whole and streamed, in each dialect. */
export async function complaintsOfAiSdk(parts: readonly ChatPart[]): Promise<string[]> {
  const complaints: string[] = []
  for (const name of ['openai/chat', 'responses', 'anthropic/messages', 'gemini/generate'] as const) {
    const complain = (form: string, error: unknown) => complaints.push(`${name}, ${form}: ${reasonOf(error)}`)
    const whole = READERS[name](() => Response.json(dialects[name].whole(parts, META)))
    try {
      await whole.doGenerate(QUESTION)
    } catch (error) {
      complain('whole', error)
    }
    const { stream } = await READERS[name](() => streamedAnswer(name, parts)).doStream(QUESTION)
    for await (const part of stream) if (part.type === 'error') complain('streamed', part.error)
  }
  return complaints
}

function streamedAnswer(name: DialectName, parts: readonly ChatPart[]) {
  const encoder = dialects[name].stream(META)
  const frames = parts.map((part) => encoder.frame(part)).join('') + encoder.end()
  return new Response(frames, { headers: { 'content-type': 'text/event-stream' } })
}

/** The SDK's own message quotes the whole answer; its cause says what is wrong with it. */
const reasonOf = (error: unknown) => String(error instanceof Error ? (error.cause ?? error) : error)
